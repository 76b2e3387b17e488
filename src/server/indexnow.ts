import type { FastifyInstance } from 'fastify';
import type { Services } from './services.ts';

/** Bytes of a submission: the ten thousand URLs that the protocol allows, at their usual length. */
const MAX_BYTES = 2 ** 20;

/** Sites tell of changed pages by the IndexNow protocol. Answers are a status and nothing else. */
export function indexNowRoutes(app: FastifyInstance, services: Services): void {
  const { beacon } = services;
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string', bodyLimit: MAX_BYTES }, (_request, body, done) =>
    done(null, body),
  );
  app.setErrorHandler((error: { statusCode?: number }, _request, reply) => reply.code(error.statusCode ?? 500).send());

  app.get('/indexnow', { schema: { hide: true } }, async (request, reply) =>
    reply.code(await beacon.submit(request.query, request.ip)).send(),
  );

  app.post('/indexnow', { schema: { hide: true } }, async (request, reply) =>
    reply.code(await beacon.submit(parse(request.body), request.ip)).send(),
  );
}

function parse(body: unknown): unknown {
  try {
    return JSON.parse(String(body));
  } catch {
    // Not JSON: refused as such.
    return undefined;
  }
}
