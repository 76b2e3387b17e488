import { describe, expect, it } from 'vitest';
import { HostLeanings } from './host-leanings.ts';

const fresh = () => new HostLeanings({ hosts: 3, pagesPerHost: 4 });

describe('what the other pages of a host say', () => {
  it('nothing of a host not met', () => expect(fresh().leaningOf('a.example', '/1')).toBe(0));

  it('the mean of what speaks against them, shrunk by one page', () => {
    const leanings = fresh();
    leanings.note('a.example', '/1', 3);
    expect(leanings.leaningOf('a.example', '/2')).toBe(1.5);
    leanings.note('a.example', '/2', 1);
    expect(leanings.leaningOf('a.example', '/3')).toBeCloseTo(4 / 3);
  });

  it('a page does not speak for itself, and counts once with its latest judgement', () => {
    const leanings = fresh();
    leanings.note('a.example', '/1', 5);
    expect(leanings.leaningOf('a.example', '/1')).toBe(0);
    leanings.note('a.example', '/1', 1);
    expect(leanings.leaningOf('a.example', '/2')).toBe(0.5);
  });

  it('good pages excuse no other page, and one page beyond doubt is no more than six', () => {
    const leanings = fresh();
    leanings.note('a.example', '/1', -9);
    leanings.note('a.example', '/2', 40);
    expect(leanings.leaningOf('a.example', '/3')).toBe(2);
  });

  it('hacked pages of a good site: one in 200 adds next to nothing to its neighbours', () => {
    const leanings = new HostLeanings({ hosts: 10, pagesPerHost: 24 });
    for (let page = 0; page < 199; page++) leanings.note('good.example', `/${page}`, -5);
    leanings.note('good.example', '/hacked', 12);
    expect(leanings.leaningOf('good.example', '/next')).toBeLessThan(0.3);
  });

  it('remembers so many pages of so many hosts', () => {
    const leanings = fresh();
    for (let page = 0; page < 10; page++) leanings.note('a.example', `/${page}`, page < 6 ? 6 : 0);
    expect(leanings.leaningOf('a.example', '/new')).toBe(0);
    leanings.note('a.example', '/bad', 4);
    for (const host of ['b', 'c', 'd']) leanings.note(`${host}.example`, '/', 1);
    expect(leanings.leaningOf('a.example', '/new')).toBe(0);
    expect(leanings.leaningOf('d.example', '/new')).toBe(0.5);
  });
});
