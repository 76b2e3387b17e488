import { UsageError } from '../config/errors.ts';
import { parseSeed } from '../engine/seeds.ts';

/**
 * The URL of a seed as given. Throws {@link UsageError}.
 * @param where what stands before the quoted text in the message: 'the URL argument', 'sites.txt:3:'
 * @param maxLength crawl.maxUrlLength
 */
export function seedArgument(text: string, where: string, maxLength: number): string {
  const parsed = parseSeed(text, maxLength);
  if ('url' in parsed) return parsed.url;
  const quoted = text.length <= LONGEST_QUOTED ? text : `${text.slice(0, LONGEST_QUOTED)}…`;
  throw new UsageError(`${where} "${quoted}" is not a URL to crawl: ${parsed.problem}`.trimStart());
}

const LONGEST_QUOTED = 120;
