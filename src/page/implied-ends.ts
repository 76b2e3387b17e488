import type { OpenElements } from './open-elements.ts';
import { IN_FOREIGN, IN_LINK } from './states.ts';
import * as T from './tags.ts';

const tag = T.tagNumber;
const A = tag('a');
const P = tag('p');
const LI = tag('li');
const DD = tag('dd');
const DT = tag('dt');
const TABLE = tag('table');
const TR = tag('tr');
const TD = tag('td');
const TH = tag('th');
const CAPTION = tag('caption');
const COLGROUP = tag('colgroup');
const COL = tag('col');
const SELECT = tag('select');
const OPTION = tag('option');
const OPTGROUP = tag('optgroup');
const BUTTON = tag('button');
const TEMPLATE = tag('template');
const INPUT = tag('input');
const SPAN = tag('span');
const TABLE_ROOTS = new Set([TABLE]);
const ROW_GROUPS = new Set([TABLE, tag('tbody'), tag('thead'), tag('tfoot')]);
const ROWS = new Set([...ROW_GROUPS, TR]);
const SELECT_CONTENT = new Set([
  OPTION,
  OPTGROUP,
  tag('script'),
  TEMPLATE,
  tag('hr'),
  SPAN,
  tag('div'),
  tag('b'),
  tag('i'),
]);

/** Closes what the start tag of `number` ends without saying so (HTML standard, "in body" and the table and select modes). */
export function implyEnds(open: OpenElements, number: number, flags: number): void {
  if ((flags & T.CLOSES_P) !== 0 && open.isOpen(P)) open.closeParagraph();
  if (number === LI || number === DD || number === DT) open.closeItem(number);
  else if ((flags & T.HEADING) !== 0 && (bits(open.topTag) & T.HEADING) !== 0) open.pop();
  else if ((flags & T.TABLE_PART) !== 0 || number === COL) implyTableEnds(open, number);
  else if (number === A || number === BUTTON) {
    const at = open.inScope(number);
    if (at >= 0) closeAt(open, at, number);
  } else if (number === SELECT || (number === INPUT && open.isOpen(SELECT))) {
    const at = open.inScope(SELECT);
    if (at >= 0) open.popTo(at);
  } else if (number === OPTION || number === OPTGROUP) implyOptionEnds(open, number);
  else if (open.isOpen(SELECT) && (flags & T.BLOCK) !== 0 && !SELECT_CONTENT.has(number)) {
    const at = open.inScope(SELECT);
    if (at >= 0) open.popTo(at);
  }
}

function implyOptionEnds(open: OpenElements, number: number): void {
  const option = open.withinInline(OPTION);
  if (open.topTag === OPTION) open.pop();
  else if (option >= 0) open.popTo(option);
  if (number === OPTGROUP && open.topTag === OPTGROUP) open.pop();
}

function implyTableEnds(open: OpenElements, number: number): void {
  if (open.inTableScope(TABLE) < 0) return;
  if (number === TD || number === TH) open.clearBackTo(ROWS);
  else if (number === TR) open.clearBackTo(ROW_GROUPS);
  else if (number === CAPTION || number === COLGROUP || number !== COL) open.clearBackTo(TABLE_ROOTS);
}

/** Index of the element that an end tag closes; -1 when it closes none. */
export function endOf(open: OpenElements, number: number, flags: number): number {
  if (!open.isOpen(number)) return -1;
  if (open.topTag === number) return open.top;
  if (number === TABLE || (flags & T.TABLE_PART) !== 0) return open.inTableScope(number);
  if ((flags & (T.BLOCK | T.FORMATTING | T.SCOPE)) !== 0 || number === BUTTON || number === SELECT)
    return open.inScope(number);
  if ((open.state & IN_FOREIGN) !== 0) return open.inScope(number);
  return open.withinInline(number);
}

/** Closes the element at `index`; a formatting element under open blocks is only taken out of the stack. */
export function closeAt(open: OpenElements, index: number, number: number): void {
  if ((bits(number) & T.FORMATTING) !== 0) {
    for (let at = open.top; at > index; at--) {
      if ((bits(open.tags[at] ?? 0) & (T.BLOCK | T.SPECIAL)) === 0) continue;
      open.remove(index, number === A ? ~IN_LINK : ~0);
      return;
    }
  }
  open.popTo(index);
}

function bits(number: number): number {
  return T.TAG_BITS[number] ?? 0;
}
