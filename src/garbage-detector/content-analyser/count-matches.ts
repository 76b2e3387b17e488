/** Matches of a global pattern; the patterns in use need linear time. */
export function countMatches(text: string, pattern: RegExp): number {
  let found = 0;
  pattern.lastIndex = 0;
  while (pattern.exec(text)) found++;
  return found;
}
