import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type ServerOptions } from 'node:https';
import { connect, createServer as createTcpServer, type Socket, type Server as TcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FetchOutcome } from '../model/fetch.ts';
import type { HttpOptions } from './options.ts';
import { proxyFromEnvironment } from './proxy.ts';
import { testFetcher, textOf } from './test-support.ts';

const NAME = 'secure.example';
const HOSTS = new Map([
  [NAME, ['127.0.0.1']],
  ['wrong.example', ['127.0.0.1']],
]);
const hasOpenssl = ((): boolean => {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

let folder = '';
const servers: (Server | TcpServer)[] = [];
const sockets = new Set<Socket>();
const file = (name: string): string => readFileSync(join(folder, name), 'utf8');
const openssl = (...parameters: string[]): void => {
  execFileSync('openssl', parameters, { cwd: folder, stdio: 'ignore' });
};

/** Makes `name`.pem and `name`.key, signed by `issuer` or by itself. */
function certify(name: string, subject: string, extensions: string, issuer: string): void {
  writeFileSync(join(folder, `${name}.ext`), extensions);
  openssl(
    'req',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-keyout',
    `${name}.key`,
    '-subj',
    `/CN=${subject}`,
    '-out',
    `${name}.csr`,
  );
  const signer =
    issuer === name
      ? ['-signkey', `${name}.key`]
      : ['-CA', `${issuer}.pem`, '-CAkey', `${issuer}.key`, '-CAcreateserial'];
  openssl(
    'x509',
    '-req',
    '-in',
    `${name}.csr`,
    ...signer,
    '-days',
    name === 'expired' ? '-1' : '30',
    '-extfile',
    `${name}.ext`,
    '-out',
    `${name}.pem`,
  );
}

async function serve(options: ServerOptions): Promise<number> {
  const server = createServer(options, (_request, response) => {
    response.setHeader('content-type', 'text/html').end('secret');
  });
  return listen(server);
}

async function listen(server: Server | TcpServer): Promise<number> {
  servers.push(server);
  server.on('connection', (socket: Socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const bound = server.address();
  return typeof bound === 'object' && bound !== null ? bound.port : 0;
}

async function get(port: number, options: Partial<HttpOptions>, host = NAME): Promise<FetchOutcome> {
  const fetcher = testFetcher({ extraCa: file('root.pem'), ...options }, HOSTS);
  try {
    return await fetcher.fetch({ url: `https://${host}:${port}/`, purpose: 'page' });
  } finally {
    await fetcher.close();
  }
}

const text = (outcome: FetchOutcome): string =>
  outcome.kind === 'page' ? textOf(outcome.response.body) : JSON.stringify(outcome);

describe.skipIf(!hasOpenssl)('TLS (needs openssl)', () => {
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'winnow-tls-'));
    const authority = 'basicConstraints=critical,CA:TRUE\nkeyUsage=keyCertSign,cRLSign\n';
    const leaf = `basicConstraints=CA:FALSE\nsubjectAltName=DNS:${NAME},IP:127.0.0.1\n`;
    certify('root', 'Test Root', authority, 'root');
    certify('middle', 'Test Intermediate', authority, 'root');
    certify('leaf', NAME, leaf, 'middle');
    certify('expired', NAME, leaf, 'middle');
    certify('self', NAME, leaf, 'self');
  });

  afterAll(async () => {
    for (const socket of sockets) socket.destroy();
    for (const server of servers) {
      await new Promise((resolve) => server.close(resolve));
    }
    rmSync(folder, { recursive: true, force: true });
  });

  const chainOf = (name: string): ServerOptions => ({
    key: file(`${name}.key`),
    cert: file(`${name}.pem`) + file('middle.pem'),
  });

  it('reads over a whole chain to an authority of the CA file, by name and by address', async () => {
    const port = await serve(chainOf('leaf'));
    expect(text(await get(port, {}))).toBe('secret');
    expect(text(await get(port, {}, '127.0.0.1'))).toBe('secret');
  });

  it('R10 a missing intermediate is tls-chain, or accepted when the operator says so', async () => {
    const port = await serve({ key: file('leaf.key'), cert: file('leaf.pem') });
    expect(await get(port, {})).toMatchObject({ kind: 'failed', reason: 'tls-chain', requests: 0 });
    expect(text(await get(port, { acceptIncompleteChains: true }))).toBe('secret');
    expect(await get(port, { acceptIncompleteChains: true }, 'wrong.example')).toMatchObject({
      kind: 'failed',
      reason: 'tls',
    });
  });

  it('R10 an unknown authority and a self-signed certificate are tls-chain, never accepted', async () => {
    const unknown = await serve(chainOf('leaf'));
    expect(await get(unknown, { extraCa: '' })).toMatchObject({ kind: 'failed', reason: 'tls-chain' });
    const self = await serve({ key: file('self.key'), cert: file('self.pem') });
    for (const acceptIncompleteChains of [false, true]) {
      expect(await get(self, { acceptIncompleteChains })).toMatchObject({ kind: 'failed', reason: 'tls-chain' });
    }
  });

  it('a wrong name, an expired certificate and no TLS at all are tls', async () => {
    expect(await get(await serve(chainOf('leaf')), {}, 'wrong.example')).toMatchObject({
      kind: 'failed',
      reason: 'tls',
    });
    const expired = await serve(chainOf('expired'));
    for (const acceptIncompleteChains of [false, true]) {
      expect(await get(expired, { acceptIncompleteChains })).toMatchObject({ kind: 'failed', reason: 'tls' });
    }
    const plain = createTcpServer((socket) =>
      socket.on('error', () => socket.destroy()).end('HTTP/1.1 200 OK\r\n\r\n'),
    );
    expect(await get(await listen(plain), {})).toMatchObject({ kind: 'failed', reason: 'tls' });
  });

  it('goes on living when TLS connections end badly again and again', async () => {
    const port = await serve({ key: file('leaf.key'), cert: file('leaf.pem') });
    for (let round = 0; round < 10; round++) {
      const outcome = await get(port, { acceptIncompleteChains: true }, round % 2 === 0 ? 'wrong.example' : NAME);
      expect(outcome.kind).toBe(round % 2 === 0 ? 'failed' : 'page');
    }
  });

  it('a server that never answers the handshake: timeout', async () => {
    const silent = createTcpServer((socket) => socket.on('error', () => socket.destroy()));
    const outcome = await get(await listen(silent), { connectTimeoutMs: 200 });
    expect(outcome).toMatchObject({ kind: 'failed', reason: 'timeout' });
  });

  it('goes through the tunnel of a proxy', async () => {
    const port = await serve(chainOf('leaf'));
    const heads: string[] = [];
    const proxy = createTcpServer((socket) => {
      socket.on('error', () => socket.destroy());
      socket.once('data', (chunk) => {
        heads.push(chunk.toString().split('\r\n')[0] ?? '');
        const upstream = connect(port, '127.0.0.1', () => {
          socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
          socket.pipe(upstream).pipe(socket);
        });
        upstream.on('error', () => socket.destroy());
      });
    });
    const settings = proxyFromEnvironment({ https_proxy: `http://127.0.0.1:${await listen(proxy)}` });
    const fetcher = testFetcher({ extraCa: file('root.pem'), proxy: settings });
    expect(text(await fetcher.fetch({ url: `https://${NAME}/`, purpose: 'page' }))).toBe('secret');
    expect(heads).toEqual([`CONNECT ${NAME}:443 HTTP/1.1`]);
    await fetcher.close();
  });
});
