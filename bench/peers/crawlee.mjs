// Crawlee's CheerioCrawler as its documentation shows it. Arguments: output file, root pages.
import { createWriteStream } from 'node:fs';
import { CheerioCrawler, log } from 'crawlee';

const [output, ...roots] = process.argv.slice(2);
log.setLevel(log.LEVELS.ERROR);
const out = createWriteStream(output);
let pages = 0;
const crawler = new CheerioCrawler({
  minConcurrency: 16,
  maxConcurrency: 16,
  useSessionPool: false,
  maxRequestRetries: 0,
  failedRequestHandler() {},
  async requestHandler({ $, request, enqueueLinks }) {
    pages++;
    const title = $('title').text();
    const text = $('body').text();
    out.write(`${JSON.stringify({ url: request.url, title, text })}\n`);
    await enqueueLinks({ strategy: 'same-hostname' });
  },
});
await crawler.run(roots);
await new Promise((resolve) => out.end(resolve));
console.log(JSON.stringify({ pages }));
