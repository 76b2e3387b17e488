import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { BEACON_SCRIPT, BEACON_SCRIPT_GZIP } from '../engine/beacon-service.ts';
import { EMPTY_ANSWER } from './listener.ts';
import type { Services } from './services.ts';

/** Bytes of a report; the beacon sends half a kilobyte. */
const MAX_REPORT_BYTES = 4_096;

/**
 * What pages of registered sites load and report to. Foreign origins by nature: answers may be used by any of them,
 * are empty (opaque-response blocking would stop anything else) and set no cookie.
 */
export function beaconRoutes(app: FastifyInstance, services: Services): void {
  const { beacon } = services;
  // Browsers send text/plain so that no preflight is needed; others may send JSON under any name.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string', bodyLimit: MAX_REPORT_BYTES }, (_request, body, done) =>
    done(null, body),
  );
  app.setErrorHandler((error: { statusCode?: number }, request, reply) =>
    open(request, reply)
      .code(error.statusCode ?? 500)
      .send(),
  );

  app.get('/beacon.js', { schema: { hide: true } }, async (request, reply) => {
    const wanted = await beacon.wantsReport({ referer: request.headers.referer, address: request.ip });
    reply.headers(EMPTY_ANSWER);
    if (!wanted) return reply.code(204).send();
    reply.header('cache-control', 'private, no-store').header('vary', 'Referer, Accept-Encoding');
    if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return reply.send(BEACON_SCRIPT);
    return reply.header('content-encoding', 'gzip').send(BEACON_SCRIPT_GZIP);
  });

  app.options('/beacon', { schema: { hide: true } }, (request, reply) =>
    open(request, reply)
      .header('access-control-allow-methods', 'POST, OPTIONS')
      .header('access-control-allow-headers', 'content-type')
      .header('access-control-max-age', '86400')
      .code(204)
      .send(),
  );

  app.post('/beacon', { schema: { hide: true } }, (request, reply) => {
    const body = typeof request.body === 'string' ? request.body : '';
    const outcome = beacon.accept(body, { origin: request.headers.origin, address: request.ip });
    return open(request, reply)
      .code(outcome.kind === 'malformed' ? 400 : 204)
      .send();
  });
}

/** '*' would not do: sendBeacon sends its requests with credentials. */
function open(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { origin } = request.headers;
  reply.header('vary', 'Origin').header('cross-origin-resource-policy', 'cross-origin');
  if (origin === undefined) return reply;
  return reply.header('access-control-allow-origin', origin).header('access-control-allow-credentials', 'true');
}
