import { describe, expect, it } from 'vitest';
import { CERTAIN, hasInjectedLinks, sendsToTrade, spamShift } from './spam-evidence.ts';

describe('links put in by others', () => {
  it.each([
    ['two hidden links of a trade', { hidden_trade_links: 2 }],
    ['a hidden one and two hidden ones of ambiguous words', { hidden_trade_links: 1, hidden_near_links: 2 }],
    ['four in sight on a page of no trade', { trade_links: 4, own_title_trades: 0, own_trades: 0.003 }],
    ['two in sight and three of ambiguous words', { trade_links: 2, near_trade_links: 3 }],
    ['hidden ones on three domains that share a word', { foreign_hidden_domains: 3, foreign_hidden_shared: 3 }],
    ['a run in another script', { foreign_script: 0.5, foreign_run: 3, foreign_run_domains: 3 }],
  ])('%s', (_, features) => {
    expect(hasInjectedLinks(features)).toBe(true);
    expect(spamShift(features)).toBeGreaterThan(CERTAIN);
  });

  it.each([
    ['one hidden link', { hidden_trade_links: 1 }],
    ['hidden ones of ambiguous words only', { hidden_near_links: 9 }],
    ['three in sight', { trade_links: 3 }],
    ['four on a page with a trade in its title', { trade_links: 4, own_title_trades: 1 }],
    ['four on a page that writes of the trade', { trade_links: 4, own_trades: 0.01 }],
    ['hidden ones on three domains that share no word', { foreign_hidden_domains: 3, foreign_hidden_shared: 2 }],
    ['nothing known', {}],
  ])('not %s', (_, features) => {
    expect(hasInjectedLinks(features)).toBe(false);
    expect(spamShift(features)).toBe(0);
  });
});

describe('a page that sends its reader to a trade', () => {
  it.each([
    [{ word_count: 80, redirect_trade: 1 }, true],
    [{ word_count: 0, redirect_paid: 1 }, true],
    [{ word_count: 81, redirect_trade: 1, redirect_paid: 1 }, false],
    [{ word_count: 5, redirect_trade: 0, redirect_paid: 0 }, false],
  ])('%j: %s', (features, sends) => {
    expect(sendsToTrade(features)).toBe(sends);
    expect(spamShift(features) > 0).toBe(sends);
  });
});
