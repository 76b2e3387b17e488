import { describe, expect, it } from 'vitest';
import { mergeConfig } from './config.ts';
import { DEFAULTS } from './defaults.ts';

describe('mergeConfig', () => {
  it('lays settings over the defaults and leaves those alone', () => {
    const config = mergeConfig({ crawl: { delaySeconds: 3 }, ranking: { weights: { title: 9 } } }, 'f.json');
    expect(config.crawl.delaySeconds).toBe(3);
    expect(config.crawl.concurrency).toBe(DEFAULTS.crawl.concurrency);
    expect(config.ranking.weights).toEqual({ ...DEFAULTS.ranking.weights, title: 9 });
    expect(DEFAULTS.crawl.delaySeconds).toBe(1);
  });

  it.each([
    [{ crawl: { delaySecond: 3 } }, 'f.json: unknown setting "crawl.delaySecond" (did you mean "delaySeconds"?)'],
    [{ crwl: {} }, 'f.json: unknown section "crwl" (did you mean "crawl"?)'],
    [{ crawl: { delaySeconds: '3' } }, 'f.json: crawl.delaySeconds must be a number, not "3"'],
    [{ crawl: { delaySeconds: -1 } }, 'f.json: crawl.delaySeconds must be zero or more, not -1'],
    [{ crawl: { scope: 'world' } }, 'f.json: crawl.scope must be one of prefix, host, domain, any, not "world"'],
    [{ ranking: { weights: 4 } }, 'f.json: ranking.weights must be an object of settings'],
    [{ ranking: { weights: { titel: 4 } } }, 'f.json: unknown setting "ranking.weights.titel" (did you mean "title"?)'],
    [{ keys: { dropParameters: 'sid' } }, 'f.json: keys.dropParameters must be a list of strings, not "sid"'],
    [[], 'f.json: the configuration must be a JSON object of sections'],
    [JSON.parse('{"__proto__": {"a": 1}}'), 'f.json: unknown section "__proto__"'],
  ])('refuses %j', (user, message) => {
    expect(() => mergeConfig(user, 'f.json')).toThrow(message);
  });
});
