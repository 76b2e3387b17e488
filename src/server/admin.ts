import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { beaconLines } from '../engine/beacon-service.ts';
import type { AppOptions } from './app.ts';
import { adminPage, signInPage } from './pages/admin-page.ts';
import { isAdmin, matches, TOKEN_COOKIE } from './token.ts';

const COOKIE = { path: '/', httpOnly: true, sameSite: 'strict', maxAge: 30 * 86_400 } as const;
/** Streams open at once; each holds a connection. */
const MAX_STREAMS = 20;

/** Admin pages: sign-in with the token, figures, start and stop of a crawl, live events. */
export function adminRoutes(app: FastifyInstance, options: AppOptions): void {
  const { services, token } = options;
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  );

  app.get('/admin', { schema: { hide: true } }, async (request, reply) => {
    if (!isAdmin(request, token)) return page(reply.code(401), signInPage(false));
    return page(reply, await collectionPage(options, request, ''));
  });

  app.post(
    '/admin/sign-in',
    { schema: { hide: true }, config: { rateLimit: { max: 10, timeWindow: '1 minute' } } },
    (request, reply) => {
      const given = field(request.body, 'token') ?? '';
      if (!sameOrigin(request.headers.origin, request.host) || !matches(given, token))
        return page(reply.code(401), signInPage(true));
      return reply
        .setCookie(TOKEN_COOKIE, given, { ...COOKIE, secure: request.protocol === 'https' })
        .redirect('/admin', 303);
    },
  );

  app.post('/admin/crawl', { schema: { hide: true } }, async (request, reply) => {
    if (!isAdmin(request, token) || !sameOrigin(request.headers.origin, request.host))
      return page(reply.code(401), signInPage(false));
    const text = field(request.body, 'urls');
    if (text === undefined) return reply.code(400).send({ error: 'urls: a text with URLs in it is needed' });
    const urls = text.split(/\s+/).filter((url) => url !== '');
    const answer = await services.startCrawl(urls);
    return page(reply.code(answer.started ? 200 : 409), await collectionPage(options, request, answer.message));
  });

  app.post('/admin/stop', { schema: { hide: true } }, async (request, reply) => {
    if (!isAdmin(request, token) || !sameOrigin(request.headers.origin, request.host))
      return page(reply.code(401), signInPage(false));
    await services.stopCrawl();
    return reply.redirect('/admin', 303);
  });

  eventStream(app, options);
}

async function collectionPage({ services }: AppOptions, request: FastifyRequest, message: string): Promise<string> {
  const [status, garbage] = await Promise.all([services.status(), services.garbage()]);
  const { publicUrl } = services.config.server;
  const here = URL.parse(`${request.protocol}://${request.host}`)?.origin ?? 'https://search.example';
  const lines = beaconLines(URL.canParse(publicUrl) ? publicUrl : here);
  return adminPage({ status, garbage, beacon: services.beacon.counters(), lines, message });
}

function eventStream(app: FastifyInstance, options: AppOptions): void {
  let open = 0;
  app.get('/admin/events', { schema: { hide: true } }, (request, reply) => {
    if (!isAdmin(request, options.token)) return reply.code(401).send({ error: 'admin token needed' });
    if (open >= MAX_STREAMS) return reply.code(503).send({ error: 'too many streams are open' });
    open++;
    reply.hijack();
    reply.raw.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    reply.raw.write('retry: 3000\n\n');
    const stop = options.services.onEvent((event) => {
      reply.raw.write(`event: ${event.kind}\ndata: ${JSON.stringify(event)}\n\n`);
    });
    request.raw.on('close', () => {
      open--;
      stop();
    });
    return reply;
  });
}

/** A field of a form or of a JSON body, if it is a text. */
function field(body: unknown, name: string): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const value: unknown = Object.entries(body).find(([key]) => key === name)?.[1];
  return typeof value === 'string' ? value : undefined;
}

/** A form sent from another site's page carries that site's Origin; none at all is not a browser form. */
function sameOrigin(origin: string | undefined, host: string): boolean {
  return origin === undefined || (URL.canParse(origin) && new URL(origin).host === host);
}

function page(reply: FastifyReply, text: string): FastifyReply {
  return reply.type('text/html; charset=utf-8').header('cache-control', 'no-store').send(text);
}
