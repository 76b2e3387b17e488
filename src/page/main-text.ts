import { BLOCK_CHROME, BLOCK_HIDDEN, BLOCK_MAIN, BLOCK_NOSCRIPT } from '../model/page.ts';
import type { ElementTable } from './element-table.ts';
import type { DraftBlock } from './page-content.ts';

export interface MainTextInput {
  readonly blocks: DraftBlock[];
  readonly blockElements: readonly number[];
  readonly table: ElementTable;
  readonly places: Uint8Array;
  readonly nameOf: (tag: number) => string;
}

/** Marks the blocks of the page's main text with BLOCK_MAIN. */
export function markMainText(input: MainTextInput): void {
  for (const block of input.blocks) {
    if ((block.flags & (BLOCK_HIDDEN | BLOCK_NOSCRIPT | BLOCK_CHROME)) !== 0) continue;
    if (block.linkLength > block.text.length * 0.6 && block.text.length < 300) continue;
    block.flags |= BLOCK_MAIN;
  }
}
