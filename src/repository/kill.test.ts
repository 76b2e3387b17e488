import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { verifyDataFolder } from './backup.ts';
import { openFolder, type TestFolder, testFolder } from './test-support.ts';
import { readWarcFile } from './warc-reader.ts';

const KILLS = 12;

let folder: TestFolder;
beforeEach(() => {
  folder = testFolder();
});
afterEach(() => folder.end());

/** Runs the writer from an id on, kills it at a random moment after its first lines; the ids it said were committed. */
function runAndKill(first: number, afterLines: number, delay: number): Promise<number[]> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'kill-child.ts'), folder.path, String(first)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8');
  child.stdout.on('data', (text: string) => {
    output += text;
    if (output.split('\n').length > afterLines) setTimeout(() => child.kill('SIGKILL'), delay);
  });
  return new Promise((resolve) => {
    child.on('close', () =>
      resolve(
        output
          .slice(0, output.lastIndexOf('\n') + 1)
          .trim()
          .split('\n')
          .map(Number),
      ),
    );
  });
}

it(`after each of ${KILLS} kills every page committed is readable and every file passes a full scan`, async () => {
  let next = 1;
  let committed = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    const ids = await runAndKill(next, 5 + ((kill * 37) % 60), (kill * 13) % 29);
    const { database, repository } = openFolder(folder.path, {});
    expect(repository.problems).toEqual([]);
    const stored = database.all<{ url: number }>('SELECT url FROM page ORDER BY url').map((row) => row.url);
    for (const id of ids) expect(stored).toContain(id);
    for (const page of await repository.pages.getMany(stored.slice(-40))) {
      const outcome = page.capture && (await repository.pages.read(page.capture.location));
      const body = outcome?.kind === 'response' ? Buffer.from(outcome.response.body).toString() : 'lost';
      expect(body.startsWith(`page ${page.id} `)).toBe(true);
    }
    await repository.close();
    database.close();
    expect(verifyDataFolder({ database: join(folder.path, 'winnow.db'), warc: folder.warc })).toEqual([]);
    committed = stored.length;
    next = (stored.at(-1) ?? 0) + 1;
  }
  const responses = readdirSync(folder.warc).flatMap((name) =>
    [...readWarcFile(join(folder.warc, name), { maxRecordBytes: 1 << 20 })].filter(
      (item) => item.kind === 'record' && item.record.type === 'response',
    ),
  );
  expect(responses).toHaveLength(committed);
}, 120_000);
