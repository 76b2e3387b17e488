import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, openDatabase } from '../kit/sqlite.ts';
import type { HttpResponse } from '../model/fetch.ts';
import { packPage } from './page-row.ts';
import { type PageVersion, Repository, type RepositoryOptions } from './repository.ts';

/** A temporary data folder with its repository; `using`-style clean-up by `end`. */
export interface TestFolder {
  readonly path: string;
  readonly warc: string;
  open(options?: Partial<RepositoryOptions>): { readonly database: Database; readonly repository: Repository };
  end(): void;
}

export const START = Date.UTC(2026, 0, 2, 3, 4, 5);

export function testFolder(): TestFolder {
  const path = mkdtempSync(join(tmpdir(), 'winnow-repository-'));
  return {
    path,
    warc: join(path, 'warc'),
    open: (options = {}) => openFolder(path, options),
    end: () => rmSync(path, { recursive: true, force: true }),
  };
}

export function openFolder(
  path: string,
  options: Partial<RepositoryOptions>,
): { readonly database: Database; readonly repository: Repository } {
  const database = openDatabase(join(path, 'winnow.db'), { readOnly: false, busyTimeoutMs: 5000, cacheBytes: 4 << 20 });
  const repository = new Repository(database, {
    folder: join(path, 'warc'),
    rollBytes: 1 << 30,
    software: 'winnow/test',
    newId: randomUUID,
    now: () => START,
    maxBodyBytes: 10 << 20,
    quarantinePerDomainAndKind: 5,
    ...options,
  });
  return { database, repository };
}

export function testResponse(changes: Partial<HttpResponse> & { readonly text?: string }): HttpResponse {
  const body = Buffer.from(changes.text ?? '<title>a</title>body');
  return {
    url: 'http://shop.example/a?b=1',
    status: 200,
    statusText: 'OK',
    httpVersion: '1.1',
    rawHeaders: ['Content-Type', 'text/html; charset=utf-8'],
    headers: { 'content-type': 'text/html; charset=utf-8' },
    encodedBody: body,
    body,
    address: '127.0.0.2',
    hops: [],
    startedAt: START,
    milliseconds: 5,
    wireBytes: body.length,
    requests: 1,
    ...changes,
  };
}

export const TEST_CAPTURE = {
  request: { method: 'GET', headers: [['User-Agent', 'winnow-test']], body: undefined },
  newId: randomUUID,
} as const;

export function testVersion(changes: Partial<PageVersion> & { readonly mainText?: string }): PageVersion {
  const { mainText = 'text', ...rest } = changes;
  return {
    id: 1,
    state: 'kept',
    domain: 'shop.example',
    kind: undefined,
    fetchedAt: START,
    changedAt: undefined,
    status: 200,
    textHash: `hash of ${mainText}`,
    content: packPage({
      title: 'a title',
      language: 'en',
      charset: 'utf-8',
      mainText,
      outline: { description: '', headings: [], snippet: true },
      parts: {},
      judgement: undefined,
    }),
    capture: undefined,
    ...rest,
  };
}
