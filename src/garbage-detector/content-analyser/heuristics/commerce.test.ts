import { describe, expect, it } from 'vitest';
import { readPage } from '../../../page/page.ts';
import { PAGE_OPTIONS } from '../../../page/page-options.ts';
import { analyse, pageFacts } from '../content-analyser.ts';
import { affiliateLinks, isPaid } from './affiliate-links.ts';
import { fragments, hotlinks } from './hotlinks.ts';
import { tradeLinks } from './trade-links.ts';
import { tradeAddresses, tradeWords } from './trades.ts';

const HEURISTICS = [affiliateLinks, fragments, hotlinks, tradeLinks, tradeAddresses, tradeWords];

function features(html: string) {
  const context = { url: 'http://choir.example/news' };
  return analyse(pageFacts(readPage(new TextEncoder().encode(html), context, PAGE_OPTIONS), context), HEURISTICS);
}

describe('addresses that pay for visitors', () => {
  it.each([
    'https://shop.example/p?tag=abc-20',
    'https://x.example/?lang=it&aff=1418',
    'https://x.example/go/casino',
    'https://hop.clickbank.net/?x=1',
    'https://bit.ly/3abc',
  ])('%s', (address) => expect(isPaid(address)).toBe(true));

  it.each([
    'https://x.example/?stage=2',
    'https://x.example/going/places',
    'https://x.example/staff?q=tag',
    'https://example.org/bit.ly',
    '/go',
  ])('not %s', (address) => expect(isPaid(address)).toBe(false));

  it('are counted with their share of the links that lead away', () => {
    const html = `<a href="https://a.example/?aff=1">a</a> <a href="https://www.amazon.de/dp/1">b</a> <a href="https://wa.me/1">c</a>`;
    expect(features(html)).toMatchObject({
      affiliate_links: 1,
      affiliate_frac: 0.25,
      shop_links: 1,
      messenger_links: 1,
    });
  });
});

describe('pictures taken from others', () => {
  it('each domain once, a proxy standing for the site behind it', () => {
    const html = `<img src="https://i0.wp.com/one.org/a.jpg"><img src="https://cdn.two.org/b.png"><img src="//www.two.org/c.png"><img src="/own.png">`;
    expect(features(html)).toMatchObject({ image_domains: 2, image_domain_frac: 0.5, unnamed_image_domains: 2 });
  });

  it('a site that the page leads to is named, a link to the picture itself is not', () => {
    const html = `<img src="https://one.org/a.jpg"><a href="https://one.org/story">story</a>
      <a href="https://two.org/b.jpg"><img src="https://two.org/b-small.jpg"></a>`;
    expect(features(html)).toMatchObject({ image_domains: 2, image_links: 1, unnamed_image_domains: 1 });
  });
});

describe('text put together', () => {
  it('cut sentences and names with numbers', () => {
    const html = `<title>slot88 and more</title><p>Be sure to include your . The offer ends … Some text with words up to twenty or so in all.</p>`;
    const found = features(html);
    expect(found['cut_sentences_per_100']).toBeCloseTo(10, 0);
    expect(found['mixed_words']).toBeCloseTo(1 / 3);
  });
});

describe('links of a trade', () => {
  const prose =
    '<h1>Rehearsals</h1><p>We meet on Thursdays after evening prayer in the vestry. New voices are welcome.</p>';

  it('in sight and hidden, and what the page says of a trade itself', () => {
    const html = `${prose}<a href="https://a.org/">online casino</a> <div style="display:none"><a href="https://b.org/">buy cheap viagra</a></div>
      <a href="/own">casino night</a>`;
    expect(features(html)).toMatchObject({ trade_links: 2, hidden_trade_links: 1, own_title_trades: 0 });
    expect(features(html)['own_trades']).toBeGreaterThan(0);
  });

  it('not those to a site most of whose links are of no trade', () => {
    const link = (text: string) => `<a href="https://club.org/${text.length}">${text}</a> `;
    const trades = link('casino bonus') + link('online casino');
    expect(features(prose + trades)).toMatchObject({ trade_links: 2 });
    const others = link('our garden') + link('the choir') + link('how to find us');
    expect(features(prose + trades + others)).toMatchObject({ trade_links: 0 });
  });

  it('words of addresses count once for each address, without the place on the page', () => {
    const html = `<a href="viagra.html#1">1</a> <a href="viagra.html#2">2</a> <a href="#viagra">3</a>`;
    expect(features(html)).toMatchObject({ link_trade_n: 1 });
  });
});

describe('where a page sends its reader', () => {
  it('a script that moves on, and the addresses in it', () => {
    const html = `<script>const url = "https://x.example/cialis.html?aff=1"; setTimeout(() => { window.location.href = url; }, 9)</script>`;
    expect(features(html)).toMatchObject({ redirect_trade: 1, redirect_paid: 1 });
  });

  it('unknown for a page that stays, none for an honest move', () => {
    expect(features('<p>text</p>')).not.toHaveProperty('redirect_trade');
    const moved = '<meta http-equiv="refresh" content="0; url=https://choir.example/autumn">';
    expect(features(moved)).toMatchObject({ redirect_trade: 0, redirect_paid: 0 });
  });
});

describe('places without words', () => {
  it('are unknown, not zero', () => {
    const found = features('<p>casino</p>');
    expect(found).toMatchObject({ text_trade: 1, opening_trade: 1 });
    expect(found).not.toHaveProperty('title_trade');
    expect(found).not.toHaveProperty('external_trade');
  });
});
