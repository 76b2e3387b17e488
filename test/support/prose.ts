/** Plain English sentences put together from parts: enough variety that two numbers give two different texts. */
const SUBJECTS = [
  'the old lighthouse keeper',
  'a travelling botanist',
  'the village council',
  'our reading group',
  'the harbour master',
  'an apprentice carpenter',
  'the night librarian',
  'a retired surveyor',
  'the weather station',
  'the school orchestra',
  'a visiting historian',
  'the ferry company',
  'the garden committee',
  'a young cartographer',
  'the museum',
  'the mountain rescue team',
  'a local baker',
  'the printing workshop',
  'the county archive',
  'a patient clockmaker',
];
const VERBS = [
  'described',
  'repaired',
  'measured',
  'collected',
  'opened',
  'painted',
  'catalogued',
  'remembered',
  'explained',
  'planted',
  'restored',
  'compared',
  'photographed',
  'translated',
  'borrowed',
  'mapped',
  'counted',
  'sheltered',
];
const OBJECTS = [
  'the wooden footbridge',
  'a collection of letters',
  'the tide tables',
  'three rare orchids',
  'the church clock',
  'an unfinished atlas',
  'the harbour wall',
  'a box of glass slides',
  'the orchard records',
  'the northern footpath',
  'a set of copper engravings',
  'the flood defences',
  'the reading room',
  'an almanac of storms',
  'the stone quarry',
  'the winter timetable',
  'a ledger of fishing boats',
  'the bell tower',
  'the herb garden',
  'a forgotten manuscript',
];
const TIMES = [
  'after the first frost',
  'during the spring floods',
  'in the summer of the long drought',
  'before the ferry left',
  'on a quiet Tuesday',
  'when the river froze',
  'at the end of the harvest',
  'while the road was closed',
  'early in the morning',
  'once the scaffolding was gone',
  'in the third week of autumn',
  'shortly before midnight',
];
const REASONS = [
  'because nobody else had the patience',
  'so that later visitors could compare',
  'although the maps disagreed',
  'and wrote down every detail',
  'with help from two neighbours',
  'for the benefit of the pupils',
  'despite the rising wind',
  'as the charter of the town requires',
  'hoping to settle an old question',
  'without asking for any payment',
  'since the original had been lost',
  'to the surprise of the mayor',
];

function pick(list: readonly string[], n: number, salt: number): string {
  let x = Math.imul(n + 11, 0x9e3779b1) ^ Math.imul(salt + 7, 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 16), 0x7feb352d);
  x = Math.imul(x ^ (x >>> 15), 0x846ca68b);
  return list[((x ^ (x >>> 16)) >>> 0) % list.length] ?? '';
}

function sentence(n: number, salt: number): string {
  const text = `${pick(SUBJECTS, n, salt)} ${pick(VERBS, n, salt + 1)} ${pick(OBJECTS, n, salt + 2)} ${pick(TIMES, n, salt + 3)}, ${pick(REASONS, n, salt + 4)}.`;
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Four sentences that depend on `n` alone. */
export function paragraph(n: number): string {
  return [0, 10, 20, 30].map((salt) => sentence(n, salt)).join(' ');
}

/** `count` words that depend on `n` alone. */
export function wordsOf(n: number, count: number): string {
  const words = Array.from(
    { length: count },
    (_, k) =>
      pick(OBJECTS, n, 50 + k)
        .split(' ')
        .at(-1) ?? '',
  );
  return `${words.join(' ')} ${n}`;
}
