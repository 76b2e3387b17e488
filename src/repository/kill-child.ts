import { randomUUID } from 'node:crypto';
import { openFolder, START, TEST_CAPTURE, testResponse, testVersion } from './test-support.ts';
import { buildCapture } from './warc-record.ts';

/** Stores pages in batches until it is killed, printing each id after its commit. Arguments: folder, first id. */
const [path, first] = process.argv.slice(2);
const { database, repository } = openFolder(path ?? '', { rollBytes: 60_000, newId: randomUUID });
for (let id = Number(first); ; ) {
  const ids = Array.from({ length: 1 + (id % 7) }, () => id++);
  const answers = ids.map((one) =>
    testResponse({ text: `page ${one} ${randomUUID().repeat(20)}`, url: `http://a.example/${one}` }),
  );
  const captures = await repository.appendMany(
    'pages',
    answers.map((answer) => buildCapture(answer, TEST_CAPTURE)),
  );
  await database.asyncTransaction(() =>
    repository.putMany(
      ids.map((one, i) => testVersion({ id: one, mainText: `page ${one}`, fetchedAt: START, capture: captures[i] })),
    ),
  );
  process.stdout.write(`${ids.join('\n')}\n`);
}
