import { BLOCK_HIDDEN } from '../model/page.ts';
import { HIDES_ALL_BELOW, HIDES_FONT, HIDES_VISIBILITY } from './hiding-declarations.ts';
import type { PageContent } from './page-content.ts';

/** Applies the page's style rules once more to every element: some came after the text that they hide. */
export function hideByLateStyles(content: PageContent): void {
  const { table, styles, nameOf } = content.scanner;
  const hidden = new Uint8Array(table.length);
  for (let element = 1; element < table.length; element++) {
    const { hides } = styles.match(table, element, nameOf);
    const own = (hides & (HIDES_ALL_BELOW | HIDES_VISIBILITY | HIDES_FONT)) !== 0 ? 1 : 0;
    hidden[element] = own | (hidden[table.parent[element] ?? 0] ?? 0);
  }
  content.blocks.forEach((block, index) => {
    if (hidden[content.blockElements[index] ?? 0] === 1) block.flags |= BLOCK_HIDDEN;
  });
  for (const draft of content.links) if (hidden[draft.parent] === 1) draft.link.hidden = true;
}
