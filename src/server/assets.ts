import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { LIVE_SCRIPT } from './pages/live-script.ts';
import { ICON, STYLE } from './pages/style.ts';

const ASSETS: ReadonlyMap<string, { readonly type: string; readonly body: string }> = new Map([
  ['winnow.css', { type: 'text/css; charset=utf-8', body: STYLE }],
  ['icon.svg', { type: 'image/svg+xml', body: ICON }],
  ['live.js', { type: 'text/javascript; charset=utf-8', body: LIVE_SCRIPT }],
]);

/** Style sheet, icon and script: small, in memory, revalidated by ETag. */
export function assetRoutes(app: FastifyInstance): void {
  for (const [name, asset] of ASSETS) {
    const etag = `"${createHash('sha256').update(asset.body).digest('base64url').slice(0, 20)}"`;
    app.get(`/assets/${name}`, { schema: { hide: true } }, (request, reply) => {
      reply.header('etag', etag).header('cache-control', 'public, max-age=300').type(asset.type);
      if (request.headers['if-none-match'] === etag) return reply.code(304).send();
      return reply.send(asset.body);
    });
  }
}
