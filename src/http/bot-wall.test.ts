import { describe, expect, it } from 'vitest';
import { findBotWall } from './bot-wall.ts';

function wall(status: number, headers: Record<string, string>, html: string): string | undefined {
  return findBotWall({ status, headers, body: Buffer.from(html) });
}
const titled = (title: string, body: string): string =>
  `<!doctype html><html><head><title>${title}</title></head><body>${body}</body></html>`;

describe('bot walls', () => {
  it.each([
    ['Cloudflare', 403, { 'cf-mitigated': 'challenge' }, ''],
    ['Cloudflare', 503, { server: 'cloudflare' }, titled('Just a moment...', '<script>window._cf_chl_opt={}</script>')],
    [
      'Cloudflare',
      200,
      {},
      titled('Just a moment...', '<script src="/cdn-cgi/challenge-platform/h/b/orchestrate"></script>'),
    ],
    ['AWS WAF', 202, { 'x-amzn-waf-action': 'challenge' }, ''],
    ['AWS WAF', 405, { 'x-amzn-waf-action': 'captcha' }, ''],
    ['Sucuri', 403, { 'x-sucuri-block': '1' }, ''],
    ['Sucuri', 200, {}, '<html><script>var sucuri_cloudproxy_js="";S="eHg="</script></html>'],
    ['DataDome', 403, { 'x-datadome': 'protected' }, ''],
    ['DataDome', 403, {}, titled('shop.example', '<script src="https://ct.captcha-delivery.com/c.js"></script>')],
    [
      'Akamai',
      403,
      { server: 'AkamaiGHost' },
      titled('Access Denied', 'Reference #18.2 <p>https://errors.edgesuite.net/18.2'),
    ],
    ['PerimeterX', 403, {}, titled('Access to this page has been denied', '<div id="px-captcha"></div>')],
    ['Imperva', 200, {}, '<html><body><iframe src="/_Incapsula_Resource?SWUDNSAI=31"></iframe></body></html>'],
    [
      'Anubis',
      200,
      {},
      titled("Making sure you're not a bot!", '<script id="anubis_challenge" type="application/json">{}</script>'),
    ],
    ['reCAPTCHA', 200, {}, titled('Robot Check', '<div class="g-recaptcha"></div>')],
  ])('R13 %s with %s', (vendor, status, headers, html) => {
    expect(wall(status, headers, html)).toBe(vendor);
  });

  it.each([
    [
      'an article that quotes the markup',
      200,
      titled('How Cloudflare works', '<pre>_cf_chl_opt and g-recaptcha and px-captcha</pre>'),
    ],
    ['an article with the title alone', 200, titled('Just a moment...', 'A poem about waiting.')],
    ['a contact form with a captcha', 200, titled('Contact', '<form><div class="g-recaptcha"></div></form>')],
    [
      'a long page with title and script',
      200,
      titled('Robot Check', `<div class="g-recaptcha"></div>${'text '.repeat(20_000)}`),
    ],
    [
      'a page behind Cloudflare',
      200,
      titled('Shop', '<script src="/cdn-cgi/challenge-platform/scripts/jsd/main.js"></script>'),
    ],
    ['a plain 403', 403, titled('Forbidden', 'You may not read this.')],
    ['a 404 with a captcha form', 404, titled('Not found', '<div class="g-recaptcha"></div>')],
    [
      "Cloudflare's page about a dead origin",
      522,
      titled('site.example | 522: Connection timed out', '<div id="cf-error-details"></div>'),
    ],
  ])('%s is none', (_name, status, html) => {
    expect(wall(status, { server: 'cloudflare' }, html)).toBeUndefined();
  });
});
