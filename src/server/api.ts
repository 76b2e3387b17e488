import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { AppOptions } from './app.ts';
import { isAdmin } from './token.ts';

const SearchQuery = z.object({
  q: z.string().min(1).max(1_000).describe('The query: words, "phrases", -exclusions, site:host'),
  limit: z.coerce.number().int().min(1).max(100).default(10).describe('Hits to return'),
  offset: z.coerce.number().int().min(0).max(990).default(0).describe('Hits to skip'),
  explain: z.stringbool().default(false).describe('With the parts of every score'),
});

const UrlQuery = z.object({ url: z.string().min(1).max(8_192).describe('The URL to explain') });

/** JSON over HTTP under /api/v1; the OpenAPI document is made from the schemas that check the requests. */
export function apiRoutes(app: FastifyInstance, options: AppOptions): void {
  const { services } = options;

  app.get(
    '/api/v1/search',
    { schema: documented('Search the collection', SearchQuery), validatorCompiler },
    async (request, reply) => {
      const ask = parsed(SearchQuery, request.query);
      const result = await services.search({
        query: ask.q,
        limit: ask.limit,
        offset: ask.offset,
        explain: ask.explain,
      });
      return reply.header('cache-control', 'no-store').send(result);
    },
  );

  app.get('/api/v1/status', { schema: documented('Figures of the collection') }, async (_request, reply) =>
    reply.header('cache-control', 'no-store').send(await services.status()),
  );

  app.get(
    '/api/v1/explain',
    { schema: documented('Why a URL is or is not in the index (admin token)', UrlQuery), validatorCompiler },
    async (request, reply) => {
      if (!isAdmin(request, options.token))
        return reply.code(401).send({ error: 'this needs the admin token: Authorization: Bearer …' });
      const history = await services.explain(parsed(UrlQuery, request.query).url);
      return history === undefined ? reply.code(404).send({ error: 'this URL was never seen' }) : reply.send(history);
    },
  );

  app.get('/api/v1/openapi.json', { schema: { hide: true } }, (_request, reply) => reply.send(app.swagger()));
}

function documented(summary: string, query?: z.ZodType): Record<string, unknown> {
  if (query === undefined) return { summary };
  const { $schema: _, ...schema } = z.toJSONSchema(query, { io: 'input' });
  return { summary, querystring: schema };
}

/** The parameters by their schema. Throws an error of status 400 that names the parameters at fault. */
function parsed<S extends z.ZodType>(schema: S, query: unknown): z.output<S> {
  const result = schema.safeParse(query);
  if (result.success) return result.data;
  const problems = result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new BadRequest(problems.join('; '));
}

class BadRequest extends Error {
  readonly statusCode = 400;
}

/** Handlers parse with the same zod schema; Fastify's own compiler would coerce by other rules. */
function validatorCompiler(): (data: unknown) => { value: unknown } {
  return (value) => ({ value });
}
