import { countMatches } from '../count-matches.ts';
import type { Heuristic } from '../heuristic.ts';
import { share } from '../heuristic.ts';

export const decodingFunctions: Heuristic = {
  id: 'A7',
  names: ['encode_decode_fns'],
  level: 'A',
  detectors: ['spam'],
  definition:
    'Calls of escape, unescape, encodeURI, decodeURI, atob, btoa, fromCharCode, charCodeAt and parseInt(…, 16) in inline scripts.',
  source: 'Prieto et al. 2012',
  compute: (facts) => [
    countMatches(
      facts.script,
      /\b(?:(?:un)?escape|(?:en|de)codeURI(?:Component)?|atob|btoa|fromCharCode|charCodeAt)\s*\(|,\s*16\s*\)/g,
    ),
  ],
};

export const scriptInjection: Heuristic = {
  id: 'A8',
  names: ['html_injection'],
  level: 'A',
  detectors: ['spam'],
  definition:
    'document.write, innerHTML, outerHTML, insertAdjacentHTML and created script or iframe elements in inline scripts.',
  source: 'Prieto et al. 2012',
  compute: (facts) => [
    countMatches(
      facts.script,
      /\bdocument\.write(?:ln)?\b|\b(?:inner|outer)HTML\b|\binsertAdjacentHTML\b|\bcreateElement\(\s*['"](?:script|iframe)['"]/g,
    ),
  ],
};

export const evaluatedCode: Heuristic = {
  id: 'A9',
  names: ['eval_count', 'eval_len'],
  level: 'A',
  detectors: ['spam'],
  definition: 'Calls of eval, Function and of timers with a string; units of the longest string literal passed to one.',
  source: 'Prieto et al. 2012',
  compute(facts) {
    let calls = 0;
    let longest = 0;
    const calling = /\b(?:eval|new\s+Function|setTimeout|setInterval)\s*\(\s*(['"`])?/g;
    for (let match = calling.exec(facts.script); match; match = calling.exec(facts.script)) {
      const quote = match[1];
      if (quote === undefined && !/^(?:eval|new)/.test(match[0])) continue;
      calls++;
      if (quote === undefined) continue;
      const end = facts.script.indexOf(quote, calling.lastIndex);
      longest = Math.max(longest, (end < 0 ? facts.script.length : end) - calling.lastIndex);
    }
    return [calls, longest];
  },
};

export const obfuscation: Heuristic = {
  id: 'A10',
  names: ['script_longest_token', 'script_symbols', 'script_entropy', 'script_escapes_per_kb'],
  level: 'A',
  detectors: ['spam'],
  definition:
    'Of the first 32 K units of inline script: longest run without white space; share of characters that are neither letters, digits nor spaces; entropy of its characters in bits; \\x and \\u escapes per 1,024 units. Unknown without script.',
  source: 'Prieto et al. 2012',
  compute(facts) {
    const script = facts.script.slice(0, 32 * 1024);
    if (script.trim() === '') return [undefined, undefined, undefined, undefined];
    const seen = measureCharacters(script);
    return [
      seen.longest,
      share(seen.symbols, script.length),
      seen.entropy,
      (countMatches(script, /\\[xu][0-9a-f]{2}/gi) * 1024) / script.length,
    ];
  },
};

function measureCharacters(script: string): { longest: number; symbols: number; entropy: number } {
  const histogram = new Int32Array(256);
  let longest = 0;
  let run = 0;
  let symbols = 0;
  for (let i = 0; i < script.length; i++) {
    const code = script.charCodeAt(i);
    const slot = code & 255;
    histogram[slot] = (histogram[slot] ?? 0) + 1;
    run = code <= 32 ? 0 : run + 1;
    if (run > longest) longest = run;
    const lower = code | 32;
    if (code > 32 && code < 128 && !(code >= 48 && code <= 57) && !(lower >= 97 && lower <= 122)) symbols++;
  }
  let entropy = 0;
  for (const n of histogram) if (n > 0) entropy -= (n / script.length) * Math.log2(n / script.length);
  return { longest, symbols, entropy };
}
