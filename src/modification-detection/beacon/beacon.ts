/**
 * The script that visitors' browsers run, around the source of an MD5 library (UMD) in which it finds a function `md5`.
 * Plain ES2017 without a backtick, so that it stands here as it is sent.
 *
 * Text is what the markup shows, whatever style sheets do: phones and large screens must see the same page. Each part
 * is hashed in an idle moment of its own. The library is shut off from module loaders that a page may have. The answer
 * address is found beside the script's own, so a site may serve both through a path of its own.
 */
export function beaconScript(md5Library: string): string {
  return `(function () {
'use strict';
var me = document.currentScript;
if (!me || !me.src || !navigator.sendBeacon) return;
var library = {};
(function (define, module, exports) {
${md5Library.replace(/\/\/# sourceMappingURL=.*/, '').trim()}
}).call(library);
${REPORTING}})();
`;
}

const REPORTING = String.raw`var target = new URL('beacon', me.src).href;
function hash(text) {
  return library.md5(text.toWellFormed ? text.toWellFormed() : text.replace(/[\ud800-\udfff]/g, '?'));
}
function words(text) { return text.trim().replace(/\s+/g, ' '); }
function all(selector, read) {
  return Array.prototype.map.call(document.querySelectorAll(selector), read).join(' ');
}
var SKIP = 'nav,header,footer,aside,script,style,form,noscript,template,[hidden],[aria-hidden=true]';
function textOf(root) {
  var walker = document.createTreeWalker(root, 5, function (node) {
    return node.nodeType === 1 && (node.matches(SKIP) || (node.style && node.style.display === 'none')) ? 2 : 1;
  });
  var out = [], node;
  while ((node = walker.nextNode())) if (node.nodeType === 3 && node.data.trim()) out.push(words(node.data));
  return out.join(' ');
}
function mainText() {
  var found = Array.prototype.filter.call(document.querySelectorAll('main,article'), function (e) {
    return !e.parentElement.closest('main,article');
  });
  return (found.length ? found : [document.body]).map(textOf).join(' ');
}
var read = {
  title: function () { return words(document.title); },
  text: mainText,
  headings: function () { return all('h1,h2,h3', function (e) { return words(e.textContent); }); },
  links: function () { return all('a[href]', function (e) { return e.href; }); },
  images: function () { return all('img[src]', function (e) { return e.src; }); },
  metadata: function () {
    return all('meta[name=description],meta[property^="og:"],link[rel=canonical]', function (e) {
      return e.rel ? e.href : e.getAttribute('property') + ' ' + e.content;
    });
  }
};
var parts = Object.keys(read), report = { url: location.href.split('#')[0] };
function step() {
  var part = parts.shift();
  if (!part) return send(JSON.stringify(report));
  report[part] = hash(read[part]());
  later();
}
function later() {
  if (window.requestIdleCallback) requestIdleCallback(step, { timeout: 2000 });
  else setTimeout(step, 50);
}
function send(body) {
  if (body.length > 4096 || navigator.sendBeacon(target, body)) return;
  fetch(target, { method: 'POST', body: body, keepalive: true, credentials: 'omit', mode: 'no-cors' }).catch(function () {});
}
if (document.readyState === 'complete') later();
else addEventListener('load', later);
`;

/** The line that a site owner adds to every page. By default a foreign host would learn the page's origin only. */
export function beaconTag(serverUrl: string): string {
  return `<script async referrerpolicy="no-referrer-when-downgrade" src="${serverUrl}/beacon.js"></script>`;
}

/**
 * The same as the text of an inline script: it adds the line after `load`, which thus never waits for the server, and a
 * policy can allow it by its hash.
 */
export function inlineBeacon(serverUrl: string): string {
  return `addEventListener('load',function(){var s=document.createElement('script');s.async=1;s.referrerPolicy='no-referrer-when-downgrade';s.src='${serverUrl}/beacon.js';document.head.append(s)})`;
}
