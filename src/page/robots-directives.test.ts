import { describe, expect, it } from 'vitest';
import type { RobotsDirectives } from '../model/page.ts';
import { parseRobotsDirectives } from './robots-directives.ts';

const OPEN: RobotsDirectives = { index: true, follow: true, archive: true, snippet: true };

function header(...lines: string[]): RobotsDirectives {
  return parseRobotsDirectives(
    lines.map((content) => ({ source: 'header', content })),
    'winnow',
  );
}

function meta(content: string, agent?: string): RobotsDirectives {
  return parseRobotsDirectives([{ source: 'meta', agent, content }], 'winnow');
}

describe('robots directives', () => {
  it('M1: INDEX, FOLLOW in capitals forbids nothing', () => {
    expect(meta('INDEX, FOLLOW', 'ROBOTS')).toEqual(OPEN);
  });

  it('M2: noindex,follow keeps following', () => {
    expect(meta('noindex,follow')).toEqual({ ...OPEN, index: false });
  });

  it.each([
    ['noindex, unavailable_after: 25 Jun 2010 15:00:00 PST'],
    ['noindex, unavailable_after: Friday, 25-Jun-10 15:00:00 PST'],
    ['unavailable_after: Fri, 25 Jun 2010 15:00:00 PST, noindex'],
    ['noindex, unavailable_after: 2010-06-25T15:00:00-08:00'],
    ['unavailable_after: 25 Jun 2010, 15:00:00 PST, noindex'],
  ])('M3: %s', (line) => {
    const expected = { ...OPEN, index: false, unavailableAfter: Date.UTC(2010, 5, 25, 23) };
    expect(header(line)).toEqual(expected);
    expect(meta(line)).toEqual(expected);
  });

  it('takes the earliest of several dates and ignores an unreadable one', () => {
    expect(header('unavailable_after: 2030-01-02', 'unavailable_after: 2030-01-01', 'unavailable_after: soon')).toEqual(
      {
        ...OPEN,
        unavailableAfter: Date.UTC(2030, 0, 1),
      },
    );
  });

  it.each([
    ['max-image-preview:none'],
    ['nonexistent'],
    ['noindexing'],
    ['this page is not noindex'],
    ['x-noindex'],
    ['all'],
    [''],
    [', ,'],
    ['max-video-preview: 0'],
    ['noimageindex'],
  ])('M5: %s leaves the page open', (content) => {
    expect(meta(content)).toEqual(OPEN);
    expect(header(content)).toEqual(OPEN);
  });

  it.each([
    ['none', { index: false, follow: false }],
    ['NOINDEX , NOFOLLOW', { index: false, follow: false }],
    ['noindex nofollow', { index: false, follow: false }],
    ['all, none', { index: false, follow: false }],
    ['noarchive', { archive: false }],
    ['nocache', { archive: false }],
    ['nosnippet', { snippet: false }],
    ['max-snippet:0', { snippet: false, maxSnippet: 0 }],
    ['max-snippet:-1', {}],
    ['max-snippet: 50, max-snippet:20', { maxSnippet: 20 }],
  ])('%s', (content, expected) => {
    expect(meta(content)).toEqual({ ...OPEN, ...expected });
    expect(header(content)).toEqual({ ...OPEN, ...expected });
  });

  it('a meta named after another robot is not ours, one named after us is', () => {
    expect(meta('noindex', 'googlebot')).toEqual(OPEN);
    expect(meta('noindex', 'Winnow')).toEqual({ ...OPEN, index: false });
  });

  it.each([
    ['googlebot: noindex', {}],
    ['winnow: noindex', { index: false }],
    ['WINNOW: none', { index: false, follow: false }],
    ['googlebot: noindex, winnow: nofollow', { follow: false }],
    ['googlebot: noindex, nofollow', {}],
    ['otherbot: unavailable_after: 25 Jun 2010 15:00:00 PST', {}],
    ['max-future: 3, noindex', { index: false }],
    ['*: noindex', { index: false }],
  ])('X-Robots-Tag %s', (line, expected) => {
    expect(header(line)).toEqual({ ...OPEN, ...expected });
  });

  it('an agent reaches to the end of its own header line only', () => {
    expect(header('googlebot: nofollow', 'noindex')).toEqual({ ...OPEN, index: false });
    expect(header('googlebot: nofollow\nnoindex')).toEqual({ ...OPEN, index: false });
  });
});
