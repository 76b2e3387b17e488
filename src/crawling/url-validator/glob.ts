/**
 * Does the whole text fit the glob? `*` stands for any run of characters (slashes too), `?` for one character; all
 * others, brackets included, for themselves. On a mismatch only the last `*` is tried further on, so the time is at
 * most the product of both lengths.
 */
export function matchesGlob(glob: string, text: string): boolean {
  let g = 0;
  let t = 0;
  let star = -1;
  let resume = 0;
  while (t < text.length) {
    const char = glob[g];
    if (char === '*') {
      star = g++;
      resume = t;
    } else if (char === '?' || char === text[t]) {
      g++;
      t++;
    } else if (star >= 0) {
      g = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  while (glob[g] === '*') g++;
  return g === glob.length;
}
