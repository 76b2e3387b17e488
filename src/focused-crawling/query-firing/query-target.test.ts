import { describe, expect, it } from 'vitest';
import { foreignTarget } from './query-target.ts';

const PAGE = 'http://www.shop.example/start?x=1';

describe('where a query may go', () => {
  it.each([
    ['GET', 'http://www.shop.example/s'],
    ['GET', 'https://search.shop.example:8443/s?q=1'],
    ['GET', 'http://shop.example/s'],
    ['POST', 'http://www.shop.example/s'],
    ['POST', 'https://www.shop.example/s'],
  ] as const)('%s %s stays on the site', (method, url) => {
    expect(foreignTarget(PAGE, { method, url })).toBeUndefined();
  });

  it.each([
    ['GET', 'http://victim.example/s', /another site, victim\.example/],
    ['GET', 'http://www.shop.example@victim.example/s', /another site, victim\.example/],
    ['GET', 'http://www.shop.example.victim.example/s', /another site/],
    ['GET', 'http://notshop.example/s', /another site/],
    ['GET', 'http://127.0.0.1/s', /another site/],
    ['GET', 'http://[::1]:9200/s', /another site/],
    ['POST', 'http://victim.example/transfer', /another site/],
    ['POST', 'http://search.shop.example/s', /another host/],
    ['POST', 'http://www.shop.example:6379/s', /another host/],
    ['GET', 'ftp://www.shop.example/s', /no http/],
    ['GET', 'javascript:alert(1)', /no http/],
  ] as const)('%s %s leaves it', (method, url, reason) => {
    expect(foreignTarget(PAGE, { method, url })).toMatch(reason);
  });

  it('two customers of one host of pages are two sites', () => {
    const url = 'http://b.github.io/s';
    expect(foreignTarget('http://a.github.io/', { method: 'GET', url })).toMatch(/another site/);
  });

  it('addresses are sites of their own', () => {
    const own = foreignTarget('http://127.0.0.1:8080/', { method: 'GET', url: 'http://127.0.0.1:8080/s' });
    expect(own).toBeUndefined();
    expect(foreignTarget('http://127.0.0.1/', { method: 'GET', url: 'http://127.0.0.2/s' })).toMatch(/another site/);
  });
});
