import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tokenize } from '../kit/shingles.ts';
import { openDatabase } from '../kit/sqlite.ts';
import { DocumentController, type Fingerprint } from './document-controller.ts';
import { isNear } from './near.ts';
import { edit, printOf, words } from './test-support.ts';

/** Word 3-grams or character 2-grams as plain strings: the definition, without hashes. */
function shinglesOf(text: string, length: number): Set<string> {
  const units = length === 2 ? [...text.replaceAll(/[^\p{L}\p{N}]/gu, '')] : text.toLowerCase().split(/\s+/);
  return new Set(units.slice(0, units.length - length + 1).map((_, i) => units.slice(i, i + length).join(' ')));
}

function exactJaccard(a: string, b: string, length: number): number {
  const [x, y] = [shinglesOf(a, length), shinglesOf(b, length)];
  const both = [...x].filter((shingle) => y.has(shingle)).length;
  return both / (x.size + y.size - both);
}

/** Relation that the controller finds for the second of two texts on different sites. */
function relationOf(first: Fingerprint, second: Fingerprint): string {
  const database = openDatabase(':memory:', { readOnly: false, busyTimeoutMs: 100, cacheBytes: 1 << 20 });
  const controller = new DocumentController(database, { templateTexts: 5, maxCandidates: 100, cacheRows: 10 });
  const at = (id: number) => ({
    id,
    url: `http://s${id}.example/`,
    key: `http://s${id}.example/`,
    canonical: undefined,
  });
  controller.admit({ ...at(1), site: 's1.example' }, first, 'm');
  database.transaction(() => controller.flush());
  const { relation } = controller.admit({ ...at(2), site: 's2.example' }, second, 'm');
  database.close();
  return relation;
}

describe('near copies', () => {
  // Sentences of our own with the differences of the case: one character put in, another signature.
  const quote =
    '一个人如果想在自己的工作里要获得长久的成功，就必须先学会在失败面前保持安静，然后每天比昨天多走一小步。';
  const signed = (name: string) => `${quote}——${name}`;

  it('D1: Chinese quotes with one character put in and another signature are near: 2-grams ≥ 0.7', () => {
    const a = signed('山中老人');
    const b = signed('城里青年').replace('要获得', '要想获得');
    expect(exactJaccard(a, b, 2)).toBeGreaterThan(0.7);
    expect(relationOf(printOf(a), printOf(b))).toBe('near');
  });

  it.each([
    [
      'Japanese',
      '春の朝に山の小さな村を歩くと、川の音が遠くから聞こえてきて、古い橋のそばで子供たちが静かに遊んでいるのが見える。',
    ],
    ['Thai', 'ในตอนเช้าของฤดูใบไม้ผลิเราเดินไปตามแม่น้ำสายเล็กและได้ยินเสียงนกร้องจากต้นไม้ใหญ่ที่อยู่ข้างสะพานเก่า'],
    [
      'Korean',
      '봄날 아침에 작은 마을의 강가를 걷다 보면 오래된 다리 옆에서 아이들이 조용히 놀고 있는 모습이 보이고 멀리서 물소리가 들려온다',
    ],
    ['Khmer', 'នៅពេលព្រឹកនារដូវផ្ការីកយើងដើរតាមដងទន្លេតូចហើយឮសំឡេងបក្សីពីដើមឈើធំនៅក្បែរស្ពានចាស់'],
  ])('D1 in %s: an edit at the end leaves it near, another text is new', (_, text) => {
    expect(relationOf(printOf(text), printOf(text.slice(0, -3)))).toBe('near');
    expect(relationOf(printOf(text), printOf([...text].reverse().join('')))).toBe('new');
  });

  it('D3: texts under 100 letters (CJK 40) are copies only when equal', () => {
    const short = 'The shop is closed today because of a holiday, we are back on the next day.';
    expect(relationOf(printOf(short), printOf(short))).toBe('exact');
    expect(relationOf(printOf(short), printOf(`${short.slice(0, -1)}!`))).toBe('new');
    expect(relationOf(printOf('今天商店休息，明天再开门。'), printOf('今天商店休息，明天再开门！'))).toBe('new');
  });

  it('short texts are told apart by title, other visible text and images', () => {
    const photo = (title: string, src: string) =>
      printOf('Next photo', { title, images: [{ src, alt: '', width: '', height: '' }] });
    expect(relationOf(photo('Beach', 'a.jpg'), photo('Beach', 'a.jpg'))).toBe('exact');
    expect(relationOf(photo('Beach', 'a.jpg'), photo('Forest', 'a.jpg'))).toBe('new');
    expect(relationOf(photo('Beach', 'a.jpg'), photo('Beach', 'b.jpg'))).toBe('new');
    expect(relationOf(printOf('', { title: 'a' }), printOf('', { title: 'b' }))).toBe('new');
  });

  it('a text with much put on top is not near: the lengths differ', () => {
    const text = words(300, 1);
    expect(relationOf(printOf(text.join(' ')), printOf([...text, ...words(120, 2)].join(' ')))).toBe('new');
  });

  it('the estimate agrees with the definition on texts of any length', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 60, max: 4000 }),
        fc.double({ min: 0.005, max: 0.2, noNaN: true }),
        fc.nat(999),
        (n, p, seed) => {
          const a = words(n, seed).join(' ');
          const b = edit(words(n, seed), p, seed + 1).join(' ');
          const exact = exactJaccard(a, b, 3);
          // Four standard errors of a sample of 512, nothing where the sketch is whole.
          const error = n < 400 ? 0 : 4 * Math.sqrt((exact * (1 - exact)) / 512) + 0.001;
          const near = isNear({ ...printOf(a), high: 0, low: 0 }, { ...printOf(b), high: 0, low: 0 });
          if (exact >= 0.7 + error) expect(near).toBe(true);
          if (exact < 0.7 - error) expect(near).toBe(false);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('finds planted edits as the shingles say: of 40 texts each, all at 1 %, none at 20 %', () => {
    const found = (share: number) =>
      Array.from({ length: 40 }, (_, seed) => {
        const text = words(150 + seed * 20, seed);
        return relationOf(printOf(text.join(' ')), printOf(edit(text, share, seed + 77).join(' ')));
      }).filter((relation) => relation !== 'new').length;
    expect(found(0.01)).toBe(40);
    expect(found(0.05)).toBeGreaterThanOrEqual(28);
    expect(found(0.1)).toBeLessThanOrEqual(2);
    expect(found(0.2)).toBe(0);
  });

  it('the kind of script decides how a text is cut', () => {
    expect(tokenize('Café-Bar 24\nＡＢＣ')).toMatchObject({ count: 4, letters: 12, unspaced: 0, lineEnds: [3, 4] });
    expect(tokenize('東京 Tokyo 𠀀')).toMatchObject({ count: 4, unspaced: 3 });
  });
});

describe('pages of one site', () => {
  const open = () => {
    const database = openDatabase(':memory:', { readOnly: false, busyTimeoutMs: 100, cacheBytes: 1 << 20 });
    return {
      database,
      controller: new DocumentController(database, { templateTexts: 5, maxCandidates: 100, cacheRows: 99 }),
    };
  };
  const at = (id: number) => {
    const url = `http://docs.example/page${id}`;
    return { id, url, key: url, canonical: undefined, site: 'docs.example' };
  };
  const lines = (seed: number, count: number) =>
    Array.from({ length: count }, (_, i) => words(20, seed * 100 + i).join(' '));

  it('that share 80 % of template are not merged', () => {
    const { database, controller } = open();
    for (let id = 1; id <= 12; id++) {
      const text = [...lines(1, 8), ...lines(10 + id, 2), ...lines(2, 8)].join('\n');
      expect(controller.admit(at(id), printOf(text), 'm').relation).toBe('new');
    }
    database.close();
  });

  it('that share over 90 % of template are told apart as soon as the template is known', () => {
    const { database, controller } = open();
    const relations: string[] = [];
    const restored: number[] = [];
    for (let id = 1; id <= 8; id++) {
      const text = [...lines(1, 20), ...lines(10 + id, 2), ...lines(2, 20)].join('\n');
      const admission = controller.admit(at(id), printOf(text), 'm');
      relations.push(admission.relation);
      restored.push(...admission.restored);
      database.transaction(() => controller.flush());
    }
    expect(relations).toEqual(['new', 'near', 'near', 'near', 'new', 'new', 'new', 'new']);
    expect(restored.sort()).toEqual([2, 3, 4]);
    for (let id = 1; id <= 8; id++) expect(controller.placeOf(id)?.relation).toBe('new');
    database.close();
  });

  it('that differ in a line of date and time only stay one document, however many there are', () => {
    const { database, controller } = open();
    for (let id = 1; id <= 12; id++) {
      const text = [...lines(1, 10), `Printed on day ${id} at ${id * 7} o'clock`, ...lines(2, 10)].join('\n');
      expect(controller.admit(at(id), printOf(text), 'm').relation).toBe(id === 1 ? 'new' : 'near');
    }
    database.close();
  });
});
