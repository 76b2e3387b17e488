import { UsageError } from '../config/errors.ts';
import { startServer } from '../engine/server-process.ts';
import type { Command, CommandContext, CommandInput } from './command.ts';
import { isOn, listOf, numberOf, textOf } from './values.ts';

export const serveCommand: Command = {
  name: 'serve',
  summary: 'search page, API, change beacon and admin pages',
  details: `The admin token is made and shown once, when a data folder is first served.`,
  options: [
    { name: 'host', value: 'H', help: 'address to listen on (default 127.0.0.1)' },
    { name: 'port', value: 'N', type: 'integer', min: 0, help: 'port to listen on (default 8080; 0 = any free one)' },
    { name: 'update', help: 'crawl pages again when visitors report changes, and by age' },
    {
      name: 'trust-proxy',
      value: 'CIDR',
      repeatable: true,
      help: 'believe X-Forwarded-* of proxies at these addresses',
    },
  ],
  fetches: true,
  async run(input, context) {
    const port = numberOf(input.options, 'port') ?? context.config.server.port;
    if (port > 65_535) throw new UsageError(`--port takes a number up to 65535, not ${port}`);
    const server = await startServer({
      dataDir: context.dataDir,
      config: context.config,
      host: textOf(input.options, 'host') ?? context.config.server.host,
      port,
      trustProxy: listOf(input.options, 'trust-proxy'),
      update: isOn(input.options, 'update'),
      writerOptions: writerOptions(input, context),
    });
    announce(server.url, server.freshToken, context);
    context.signal.addEventListener('abort', () => void server.stop());
    const exit = await server.ended;
    return { kind: 'report', json: { url: server.url, stopped: exit }, text: 'stopped' };
  },
};

export function announce(url: string, freshToken: string | undefined, context: Pick<CommandContext, 'note'>): void {
  context.note(`Search page: ${url}/   admin: ${url}/admin`);
  if (freshToken !== undefined) context.note(`Admin token (shown only now, keep it): ${freshToken}`);
}

/** The options of this command that a crawl started from the admin page gets too. */
function writerOptions({ options }: CommandInput, { dataDir }: CommandContext): string[] {
  const out = ['--data', dataDir];
  for (const name of ['config', 'hosts', 'user-agent', 'contact', 'delay', 'concurrency', 'render']) {
    const value = options[name];
    if (typeof value === 'string' || typeof value === 'number') out.push(`--${name}`, String(value));
  }
  if (isOn(options, 'allow-private')) out.push('--allow-private');
  return out;
}
