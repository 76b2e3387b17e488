import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { OptionValues } from '../commands/command.ts';
import type { Config } from '../config/config.ts';
import { UsageError } from '../config/errors.ts';

/** The folder of the collection: --data, WINNOW_DATA or ./winnow-data, then --collection inside it. */
export function dataFolder(options: OptionValues): string {
  const base = text(options['data']) ?? (process.env['WINNOW_DATA'] || 'winnow-data');
  const collection = text(options['collection']);
  if (collection !== undefined && !/^[\w][\w.-]*$/.test(collection)) {
    throw new UsageError(`--collection takes a plain name (letters, digits, "-", "_", "."), not "${collection}"`);
  }
  return resolve(collection === undefined ? base : join(base, collection));
}

/** The configuration with the fetching options and their environment variables laid over it, for this run only. */
export function applyFetchOptions(config: Config, options: OptionValues): Config {
  const hosts = text(options['hosts']) ?? process.env['WINNOW_HOSTS'] ?? config.http.hostsFile;
  if (hosts !== '' && !existsSync(hosts)) throw new UsageError(`--hosts: there is no file ${hosts}`);
  const how = render(options['render']) ?? config.crawl.render;
  if (how !== 'never') {
    throw new UsageError(`--render ${how} is not built yet: pages are read as servers send them (--render never)`);
  }
  return {
    ...config,
    crawl: {
      ...config.crawl,
      userAgent: headerText('user-agent', text(options['user-agent']) ?? config.crawl.userAgent),
      contact: headerText('contact', text(options['contact']) ?? config.crawl.contact),
      delaySeconds: number(options['delay']) ?? config.crawl.delaySeconds,
      concurrency: number(options['concurrency']) ?? config.crawl.concurrency,
    },
    http: {
      ...config.http,
      hostsFile: hosts,
      allowPrivate:
        options['allow-private'] === true || truthy(process.env['WINNOW_ALLOW_PRIVATE']) || config.http.allowPrivate,
    },
  };
}

/** What a header line can hold (RFC 9110, field-value, in latin-1): anything else would fail every single request. */
function headerText(name: string, value: string): string {
  const bad = /[^\t\u0020-\u007e\u0080-\u00ff]/u.exec(value)?.[0];
  if (bad !== undefined) {
    const code = (bad.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    throw new UsageError(`--${name} is sent as a header, which cannot hold the character U+${code}`);
  }
  if (value !== '' && value.trim() === '') throw new UsageError(`--${name} is blank`);
  return value;
}

function render(value: OptionValues[string]): Config['crawl']['render'] | undefined {
  return value === 'never' || value === 'auto' || value === 'always' ? value : undefined;
}

function text(value: OptionValues[string]): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function number(value: OptionValues[string]): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function truthy(value: string | undefined): boolean {
  return value !== undefined && value !== '' && value !== '0' && value.toLowerCase() !== 'false';
}
