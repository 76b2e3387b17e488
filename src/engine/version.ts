import { readFileSync } from 'node:fs';

/** Version of the package, from package.json two folders up (src/engine or dist/engine). */
export const VERSION: string = readVersion();

function readVersion(): string {
  const parsed: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  const version = typeof parsed === 'object' && parsed !== null && 'version' in parsed ? parsed.version : undefined;
  return typeof version === 'string' ? version : '0.0.0';
}
