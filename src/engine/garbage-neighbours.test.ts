import { expect, it } from 'vitest';
import { neighbourCounts } from './garbage-neighbours.ts';

const NOW = 1000;
const spamDomains = {
  isEmpty: false,
  isSpamDomain: (domain: string, now: number) => now === NOW && ['bad.example', 'worse.example'].includes(domain),
};
const link = (host: string, credited = true) => ({ host, credited });

it('counts what leads away with credit, by registrable domain', () => {
  const links = [
    ...[link('www.own.example'), link('own.example'), link('good.example')],
    ...[link('a.bad.example'), link('b.bad.example'), link('worse.example')],
    ...[link('bad.example', false), link('good.example', false)],
  ];
  expect(neighbourCounts('blog.own.example', links, spamDomains, NOW)).toEqual({ away: 4, condemned: 3, domains: 2 });
});

it('nothing is known by an empty garbage repository; a page without links has none', () => {
  expect(neighbourCounts('own.example', [link('bad.example')], { ...spamDomains, isEmpty: true }, NOW)).toBeUndefined();
  expect(neighbourCounts('own.example', [], spamDomains, NOW)).toEqual({ away: 0, condemned: 0, domains: 0 });
});
