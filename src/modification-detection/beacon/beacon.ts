/**
 * The script that visitors' browsers run. Waits until the page is loaded and idle, hashes its parts one by one and
 * reports the hashes, never text. Plain ES2017 without a backtick, so that it stands here as it is sent.
 * The hash is two lanes of multiply-and-xor with MurmurHash3's final mix (64 bits), not the MD5 of KDIR 2012: it tells
 * versions of one page apart, and whoever wants to forge a report can do so under any hash.
 * Its answer address is found beside its own, so a site may serve both through a path of its own.
 */
export const BEACON_SCRIPT = String.raw`(function () {
'use strict';
var me = document.currentScript;
if (!me || !me.src || !navigator.sendBeacon) return;
var target = new URL('beacon', me.src).href;

function mix(h) {
  h = Math.imul(h ^ (h >>> 16), 2246822507);
  h = Math.imul(h ^ (h >>> 13), 3266489909);
  return (h ^ (h >>> 16)) >>> 0;
}
function hash(text) {
  var a = 2654435769, b = 1779033703, i, c;
  for (i = 0; i < text.length; i++) {
    c = text.charCodeAt(i);
    a = Math.imul(a ^ c, 2654435761);
    b = Math.imul(b ^ c, 1597334677);
  }
  a = mix(a ^ text.length); b = mix(b ^ a);
  return ('0000000' + a.toString(16)).slice(-8) + ('0000000' + b.toString(16)).slice(-8);
}
var SKIP = 'nav,header,footer,aside,script,style,form,noscript,template,[hidden],[aria-hidden=true]';
function textOf(root) {
  var walker = document.createTreeWalker(root, 5, function (node) {
    return node.nodeType === 1 && node.matches(SKIP) ? 2 : 1;
  });
  var out = [], node, words;
  while ((node = walker.nextNode())) {
    words = node.nodeType === 3 ? node.data.trim() : '';
    if (words) out.push(words.replace(/\s+/g, ' '));
  }
  return out.join(' ');
}
function mainParts() {
  var found = document.querySelectorAll('main');
  if (!found.length) found = document.querySelectorAll('article');
  return found.length ? found : [document.body];
}
function all(selector, read) {
  return Array.prototype.map.call(document.querySelectorAll(selector), read).join(' ');
}
function report() {
  var body = JSON.stringify({
    url: location.href.split('#')[0],
    title: hash(document.title),
    text: hash(Array.prototype.map.call(mainParts(), textOf).join(' ')),
    headings: hash(all('h1,h2,h3', function (e) { return e.textContent.trim(); })),
    links: hash(all('a[href]', function (e) { return e.href; })),
    images: hash(all('img[src]', function (e) { return e.src; }))
  });
  if (body.length > 4096 || navigator.sendBeacon(target, body)) return;
  fetch(target, { method: 'POST', body: body, keepalive: true, credentials: 'omit', mode: 'no-cors' }).catch(function () {});
}
function idle() {
  if (window.requestIdleCallback) requestIdleCallback(report, { timeout: 5000 });
  else setTimeout(report, 500);
}
if (document.readyState === 'complete') idle();
else addEventListener('load', idle);
})();
`;

/** The line that a site owner adds to every page. By default a foreign host would learn the page's origin only. */
export function beaconTag(serverUrl: string): string {
  return `<script async referrerpolicy="no-referrer-when-downgrade" src="${serverUrl}/beacon.js"></script>`;
}
