import { createServer as createHttpServer } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { proxyFor, proxyFromEnvironment } from './proxy.ts';
import { startRawServer, testFetcher, textOf } from './test-support.ts';

const chosen = (environment: Record<string, string>, url: string): string | undefined =>
  proxyFor(proxyFromEnvironment(environment), new URL(url))?.href;

describe('proxy settings', () => {
  const both = { HTTP_PROXY: 'http://p:1', HTTPS_PROXY: 'q:2' };
  it.each([
    [both, 'http://a.example/', 'http://p:1/'],
    [both, 'https://a.example/', 'http://q:2/'],
    [{ ...both, https_proxy: 'http://lower:3' }, 'https://a.example/', 'http://lower:3/'],
    [{ HTTP_PROXY: 'socks5://p:1' }, 'http://a.example/', undefined],
    [{}, 'http://a.example/', undefined],
    [{ ...both, NO_PROXY: '*' }, 'http://a.example/', undefined],
    [{ ...both, no_proxy: 'b.example, .a.example' }, 'http://www.a.example/', undefined],
    [{ ...both, no_proxy: 'a.example' }, 'http://a.example/', undefined],
    [{ ...both, no_proxy: 'a.example' }, 'http://nota.example/', 'http://p:1/'],
    [{ ...both, no_proxy: 'a.example:8080' }, 'http://a.example/', 'http://p:1/'],
    [{ ...both, no_proxy: 'a.example:8080' }, 'http://a.example:8080/', undefined],
    [{ ...both, no_proxy: '192.0.2.1,::1' }, 'http://192.0.2.1/', undefined],
    [{ ...both, no_proxy: '192.0.2.1,::1' }, 'http://[::1]/', undefined],
  ])('%j for %s: %s', (environment, url, expected) => {
    expect(chosen(environment, url)).toBe(expected);
  });
});

describe('through a proxy', () => {
  it('plain http is asked with the absolute URL and the credentials', async () => {
    const proxy = await startRawServer((path, head) => {
      const body = `${path} ${/proxy-authorization: (.*)\r\n/i.exec(head)?.[1]} ${/host: (.*)\r\n/i.exec(head)?.[1]}`;
      return `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    });
    const settings = proxyFromEnvironment({ http_proxy: `http://me:p%zz%C3%A9@127.0.0.1:${proxy.port}` });
    const fetcher = testFetcher({ proxy: settings });
    const outcome = await fetcher.fetch({ url: 'http://far.example/x?y', purpose: 'page' });
    expect(outcome.kind === 'page' && textOf(outcome.response.body)).toBe(
      'http://far.example/x?y Basic bWU6cCV6esOp far.example',
    );
    await fetcher.close();
    await proxy.close();
  });

  it('the guard still looks at the target; mapped names and private addresses go direct', async () => {
    const target = createHttpServer((_request, response) =>
      response.setHeader('content-type', 'text/html').end('direct'),
    );
    await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
    const bound = target.address();
    const port = typeof bound === 'object' && bound !== null ? bound.port : 0;
    const hosts = new Map([['mapped.example', ['127.0.0.1']]]);
    const proxy = proxyFromEnvironment({ http_proxy: 'http://127.0.0.1:9' });
    const closed = testFetcher({ proxy, allowPrivate: false }, hosts);
    const open = testFetcher({ proxy }, hosts);
    for (const url of [`http://mapped.example:${port}/`, `http://127.0.0.1:${port}/`]) {
      expect(await closed.fetch({ url, purpose: 'page' })).toMatchObject({ kind: 'refused', reason: 'address' });
      const outcome = await open.fetch({ url, purpose: 'page' });
      expect(outcome.kind === 'page' && textOf(outcome.response.body)).toBe('direct');
    }
    await closed.close();
    await open.close();
    target.closeAllConnections();
    await new Promise((resolve) => target.close(resolve));
  });

  it('https asks for a tunnel; a refusal is a connect failure', async () => {
    const heads: string[] = [];
    const proxy = createServer((socket: Socket) => {
      socket.on('error', () => socket.destroy());
      socket.once('data', (chunk) => {
        heads.push(chunk.toString());
        socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
      });
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const bound = proxy.address();
    const port = typeof bound === 'object' && bound !== null ? bound.port : 0;
    const fetcher = testFetcher({ proxy: proxyFromEnvironment({ https_proxy: `127.0.0.1:${port}` }) });
    expect(await fetcher.fetch({ url: 'https://far.example/', purpose: 'page' })).toMatchObject({
      kind: 'failed',
      reason: 'connect',
      detail: 'proxy answered CONNECT with 403',
    });
    expect(heads).toEqual(['CONNECT far.example:443 HTTP/1.1\r\nHost: far.example:443\r\n\r\n']);
    await fetcher.close();
    await new Promise((resolve) => proxy.close(resolve));
  });
});
