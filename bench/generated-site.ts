import { createServer, type Server } from 'node:http';
import { parentPort, Worker, workerData } from 'node:worker_threads';

/** A large site on loopback, served by a thread of its own so that the bench can measure beside it. */
export interface GeneratedSite {
  readonly port: number;
  stop(): Promise<void>;
}

const WORDS_A_PARAGRAPH = 90;
const PARAGRAPHS = 12;
const VOCABULARY = 4_096;
const SYLLABLES = [
  'ba',
  'den',
  'ki',
  'lor',
  'mi',
  'na',
  'pel',
  'ro',
  'sa',
  'ter',
  'u',
  'vin',
  'wes',
  'zo',
  'cha',
  'fi',
];

/** `pages` pages of about 8 KB, each with a text of its own and ten links; every page is reached from page 0. */
export async function startGeneratedSite(pages: number): Promise<GeneratedSite> {
  const worker = new Worker(new URL(import.meta.url), { workerData: { pages } });
  const port = await new Promise<number>((resolve, reject) => worker.once('message', resolve).once('error', reject));
  return { port, stop: () => worker.terminate().then(() => undefined) };
}

if (parentPort !== null) serve(parentPort, workerData as { readonly pages: number });

function serve(port: NonNullable<typeof parentPort>, { pages }: { readonly pages: number }): void {
  const server: Server = createServer((request, response) => {
    const page = Number(/^\/(?:p(\d+)\.html)?$/.exec(request.url ?? '')?.[1] ?? (request.url === '/' ? 0 : Number.NaN));
    if (!(page < pages)) return void response.writeHead(404).end();
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(pageOf(page, pages));
  });
  server.listen(0, '0.0.0.0', () => {
    const address = server.address();
    port.postMessage(typeof address === 'object' && address !== null ? address.port : 0);
  });
}

function pageOf(page: number, pages: number): string {
  const random = new Xorshift(page + 1);
  const text = (words: number): string =>
    Array.from({ length: words }, () => wordOf(random.below(VOCABULARY))).join(' ');
  const title = `${text(4)} ${page}`;
  const paragraphs = Array.from({ length: PARAGRAPHS }, () => `<p>${text(WORDS_A_PARAGRAPH)}.</p>`).join('\n');
  const tree = [1, 2, 3, 4].map((child) => page * 4 + child);
  const others = Array.from({ length: 6 }, () => random.below(pages));
  const links = [...tree, ...others]
    .filter((target) => target < pages)
    .map((target) => `<li><a href="/p${target}.html">${text(3)}</a></li>`);
  return `<!doctype html><html lang="en"><head><title>${title}</title></head><body><main><h1>${title}</h1>
${paragraphs}</main><nav><ul>${links.join('')}</ul></nav></body></html>`;
}

/** A made-up word of two to four syllables; common ones are short. */
function wordOf(index: number): string {
  let word = '';
  for (let rest = index + SYLLABLES.length; rest > 0; rest = Math.floor(rest / SYLLABLES.length)) {
    word += SYLLABLES[rest % SYLLABLES.length] ?? '';
  }
  return word;
}

/** The same text for a page number each time; quality does not matter here. */
class Xorshift {
  #state: number;

  constructor(seed: number) {
    this.#state = Math.imul(seed, 0x9e3779b1) | 1;
  }

  below(bound: number): number {
    let x = this.#state;
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    this.#state = x;
    return (x >>> 0) % bound;
  }
}
