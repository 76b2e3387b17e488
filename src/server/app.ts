import cookie from '@fastify/cookie';
import helmet from '@fastify/helmet';
import rateLimit from '@fastify/rate-limit';
import swagger from '@fastify/swagger';
import fastify, { type FastifyInstance } from 'fastify';
import { VERSION } from '../engine/version.ts';
import { adminRoutes } from './admin.ts';
import { apiRoutes } from './api.ts';
import { assetRoutes } from './assets.ts';
import { beaconRoutes } from './beacon.ts';
import { botRoutes } from './bot.ts';
import { indexNowRoutes } from './indexnow.ts';
import { createListener } from './listener.ts';
import { CONTROLS, html } from './pages/html.ts';
import { layout } from './pages/layout.ts';
import { searchRoutes } from './search.ts';
import type { Services } from './services.ts';

export interface AppOptions {
  readonly services: Services;
  /** Admin token; compared in constant time. */
  readonly token: string;
  /** Address ranges of reverse proxies whose X-Forwarded-* headers are believed; empty = none. */
  readonly trustProxy: readonly string[];
}

/**
 * Nothing may run or load but what the server itself serves; no page may be framed. Reports of these pages' own scripts
 * go nowhere else either.
 */
const POLICY = {
  'default-src': ["'none'"],
  'script-src': ["'self'"],
  'style-src': ["'self'"],
  'img-src': ["'self'"],
  'connect-src': ["'self'"],
  'form-action': ["'self'"],
  'base-uri': ["'none'"],
  'frame-ancestors': ["'none'"],
};

/** The HTTP application, not yet listening. */
export async function createApp(options: AppOptions): Promise<FastifyInstance> {
  const app = fastify({
    logger: false,
    trustProxy: options.trustProxy.length === 0 ? false : [...options.trustProxy],
    bodyLimit: 64 * 1024,
    routerOptions: { maxParamLength: 2048 },
    serverFactory: (handler) => createListener(options.services.beacon, handler),
  });
  await app.register(helmet, {
    contentSecurityPolicy: { useDefaults: false, directives: POLICY },
    strictTransportSecurity: false,
    crossOriginResourcePolicy: { policy: 'same-origin' },
    referrerPolicy: { policy: 'same-origin' },
  });
  await app.register(cookie);
  await app.register(rateLimit, { global: false });
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Winnow',
        version: VERSION,
        description: 'Search, status and explanations of one Winnow collection.',
      },
    },
  });
  app.setErrorHandler((error: { statusCode?: number; message?: string; stack?: string }, request, reply) => {
    const status = error.statusCode ?? 500;
    if (status >= 500) log(`${request.method} ${request.url.split('?')[0]}: ${error.stack ?? error.message}`);
    return reply
      .code(status)
      .send({ error: status >= 500 ? 'the server failed; its log says more' : (error.message ?? 'bad request') });
  });
  app.setNotFoundHandler((request, reply) => {
    if (request.url.startsWith('/api/'))
      return reply.code(404).send({ error: `nothing at ${request.url.split('?')[0]}` });
    return reply.code(404).type('text/html; charset=utf-8').send(notFoundPage());
  });
  await app.register(async (routes) => beaconRoutes(routes, options.services));
  await app.register(async (routes) => indexNowRoutes(routes, options.services));
  await app.register(async (routes) => {
    assetRoutes(routes);
    searchRoutes(routes, options.services);
    botRoutes(routes, options.services);
    apiRoutes(routes, options);
    adminRoutes(routes, options);
  });
  return app;
}

/** The server's log is standard error; what a request holds must not steer the terminal that shows it. */
function log(line: string): void {
  console.error(`winnow serve: ${line.replace(CONTROLS, '\ufffd')}`);
}

function notFoundPage(): string {
  return layout({
    title: 'Not found · Winnow',
    section: 'none',
    body: html`<main id="content" class="page"><h1>There is no such page here</h1><p><a href="/">Search instead</a></p></main>`,
  });
}
