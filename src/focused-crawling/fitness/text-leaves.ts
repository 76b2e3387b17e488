import { Parser } from 'htmlparser2';

/** A text node of the page's tree, or a description in a meta element. */
export interface TextLeaf {
  readonly text: string;
  /** Tags from the root to the text's parent, lower case. */
  readonly path: readonly string[];
}

/** Elements whose text no visitor reads as the page's. */
const UNREAD: ReadonlySet<string> = new Set([
  'script',
  'style',
  'template',
  'noscript',
  'select',
  'textarea',
  'iframe',
]);
const VOID: ReadonlySet<string> = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
);
const DESCRIPTIONS: ReadonlySet<string> = new Set(['description', 'keywords']);
const MAX_LEAVES = 200_000;
const MAX_DEPTH = 512;

/** The text leaves of a page in document order. The page reader joins inline elements; the paper's formulas need them. */
export function textLeaves(html: string): readonly TextLeaf[] {
  const leaves: TextLeaf[] = [];
  const path: string[] = [];
  let unread = 0;
  let text = '';
  const flush = (): void => {
    if (unread === 0 && leaves.length < MAX_LEAVES && text.trim() !== '') leaves.push({ text, path: [...path] });
    text = '';
  };
  const parser = new Parser({
    onopentag(name, attributes) {
      flush();
      if (name === 'meta' && DESCRIPTIONS.has((attributes['name'] ?? '').toLowerCase())) {
        leaves.push({ text: attributes['content'] ?? '', path: ['meta'] });
      }
      if (VOID.has(name)) return;
      if (unread > 0 || path.length >= MAX_DEPTH || isUnread(name, attributes)) unread++;
      else path.push(name);
    },
    ontext(data) {
      text += data;
    },
    onclosetag(name) {
      if (VOID.has(name)) return;
      flush();
      if (unread > 0) unread--;
      else path.pop();
    },
  });
  parser.end(html);
  flush();
  return leaves;
}

function isUnread(name: string, attributes: Readonly<Record<string, string>>): boolean {
  return UNREAD.has(name) || 'hidden' in attributes || HIDDEN_STYLE.test(attributes['style'] ?? '');
}

const HIDDEN_STYLE = /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i;
