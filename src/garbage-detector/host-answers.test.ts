import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPage } from '../page/page.ts';
import { PAGE_OPTIONS } from '../page/page-options.ts';
import { HostAnswers, sketchOf } from './host-answers.ts';
import { resemblance } from './sketch.ts';

function sketch(text: string, url: string) {
  const html = `<!DOCTYPE html><title>x</title><main><p>${text}</p></main>`;
  return sketchOf(readPage(new TextEncoder().encode(html), {}, PAGE_OPTIONS), url);
}

const excuse = (name: string) =>
  `Nothing lives at ${name} any more, so have a look at the overview of our gardens instead`;
const url = (name: string) => `http://h.example/${name}.html`;

describe('sketches', () => {
  it('leave out numbers and the words of the address', () => {
    expect(sketch(excuse('roses 17'), url('roses'))).toEqual(sketch(excuse('tulips 9'), url('tulips')));
  });

  it('resemble as the sets of words and pairs do', () => {
    const words = fc.array(fc.constantFrom('ab', 'cd', 'ef', 'gh', 'ij', 'kl'), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(words, words, (a, b) => {
        const left = sketch(a.join(' '), 'http://h.example/');
        const right = sketch(b.join(' '), 'http://h.example/');
        const both = left.filter((hash) => right.includes(hash)).length;
        const union = new Set([...left, ...right]).size;
        expect(resemblance(left, right)).toBeCloseTo(union === 0 ? 0 : both / union, 10);
      }),
    );
  });
});

describe('answers of a host', () => {
  const options = { hosts: 2, answersPerHost: 3 };
  const note = (answers: HostAnswers, name: string, isError = false, host = 'h.example') =>
    answers.note(host, url(name), { sketch: sketch(excuse(name), url(name)), isError });

  it('the same text at other addresses is counted, the same address is not', () => {
    const answers = new HostAnswers(options);
    for (const name of ['a1', 'roses', 'tulips']) note(answers, name);
    const known = sketch(excuse('pears'), url('pears'));
    expect(answers.knowledgeOf('h.example', url('pears'), known)).toEqual({ sameAnswers: 3 });
    expect(answers.knowledgeOf('h.example', url('tulips'), known)).toEqual({ sameAnswers: 2 });
    expect(answers.knowledgeOf('other.example', url('pears'), known)).toEqual({ sameAnswers: 0 });
  });

  it('likeness to a known error page is told', () => {
    const answers = new HostAnswers(options);
    note(answers, 'roses', true);
    const { errorPageSimilarity } = answers.knowledgeOf('h.example', url('x'), sketch(excuse('x'), url('x')));
    expect(errorPageSimilarity).toBeGreaterThan(0.9);
    const other = sketch('Opening hours of the museum and the way from the station on foot', url('y'));
    expect(answers.knowledgeOf('h.example', url('y'), other).errorPageSimilarity).toBeLessThan(0.2);
  });

  it('forgets the oldest answers and the host met longest ago', () => {
    const answers = new HostAnswers(options);
    for (const name of ['a1', 'b1', 'c1', 'd1', 'e1']) note(answers, name);
    const known = sketch(excuse('z'), url('z'));
    expect(answers.knowledgeOf('h.example', url('z'), known).sameAnswers).toBe(3);
    note(answers, 'a1', false, 'second.example');
    note(answers, 'a1', false, 'third.example');
    expect(answers.knowledgeOf('h.example', url('z'), known).sameAnswers).toBe(0);
  });

  it('texts of a few words are not compared', () => {
    const answers = new HostAnswers(options);
    const short = sketch('one two', 'http://h.example/');
    answers.note('h.example', url('a'), { sketch: short, isError: true });
    expect(answers.knowledgeOf('h.example', url('b'), short)).toEqual({});
  });
});
