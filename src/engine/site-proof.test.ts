import { createServer, type Server } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { type Config, DEFAULTS } from '../config/defaults.ts';
import { startDns, stopDns, type Zone } from '../http/dns-test-support.ts';
import type { RegisteredSite } from '../model/changes.ts';
import { findProof } from './site-proof.ts';

const TOKEN = '0123456789abcdef0123456789abcdef';
const servers: Server[] = [];
afterEach(() => {
  stopDns();
  for (const server of servers.splice(0)) server.close();
});

/** A site that shows what is given, and the DNS that names it. */
async function siteWith(files: Readonly<Record<string, string>>, zone: Zone = {}): Promise<Proof> {
  const server = createServer((request, response) => {
    const file = files[request.url ?? ''];
    response.writeHead(file === undefined ? 404 : 200, { 'content-type': 'text/html' }).end(file);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const dns = await startDns({ 'site.test': { ttl: 60, a: ['127.0.0.1'] }, ...zone });
  const config: Config = {
    ...DEFAULTS,
    http: { ...DEFAULTS.http, allowPrivate: true },
    dns: { ...DEFAULTS.dns, servers: [dns.server] },
  };
  const url = `http://site.test:${port}/blog/index.html`;
  return {
    config,
    site: { site: `site.test:${port}/blog/`, url, addedAt: 0, token: TOKEN, verifiedAt: undefined },
  };
}

interface Proof {
  readonly config: Config;
  readonly site: RegisteredSite;
}

const find = ({ site, config }: Proof): Promise<string> => findProof(site, config, Date.now);

describe('a site is verified', () => {
  it('by a file', async () => {
    expect(await find(await siteWith({ '/.well-known/winnow-site.txt': `${TOKEN}\n` }))).toBe('file');
  });

  it('by a meta tag of its front page', async () => {
    const page = `<!doctype html><head><meta name="winnow-site" content="${TOKEN}"><title>x</title></head>`;
    expect(await find(await siteWith({ '/blog/': page }))).toBe('meta');
  });

  it('by a TXT record', async () => {
    expect(await find(await siteWith({}, { '_winnow.site.test': { ttl: 60, txt: ['other', TOKEN] } }))).toBe('dns');
  });

  it('by nothing else: another token, a tag shown as text, a tag of another page', async () => {
    const wrong = TOKEN.replace('0', '1');
    const files = {
      '/.well-known/winnow-site.txt': wrong,
      '/blog/': `<meta name="winnow-site" content="${wrong}">&lt;meta name="winnow-site" content="${TOKEN}"&gt;`,
      '/': `<meta name="winnow-site" content="${TOKEN}">`,
    };
    const failed = find(await siteWith(files, { '_winnow.site.test': { ttl: 60, txt: [wrong] } }));
    await expect(failed).rejects.toThrow(/winnow-site\.txt.*\n.*<meta.*\n.*_winnow\.site\.test/);
  });
});
