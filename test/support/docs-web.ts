import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** One documentation set of Debian's packages, served as it is. */
export interface DocsSite {
  readonly name: string;
  readonly address: string;
  readonly root: string;
  /** Start page, relative to the root. */
  readonly start: string;
  /** Page of its own index: entry text → page. */
  readonly indexPages: readonly string[];
}

const SITES: readonly DocsSite[] = [
  site('python.docs.example', '127.0.0.2', '/usr/share/doc/python3.11/html', /^genindex-(?!all)/),
  site('postgresql.docs.example', '127.0.0.3', '/usr/share/doc/postgresql-doc-15/html', /^bookindex/),
  site('reference.docs.example', '127.0.0.4', '/usr/share/debian-reference', /^$/),
  site('policy.docs.example', '127.0.0.5', '/usr/share/doc/debian-policy/policy.html', /^genindex/),
  site('developers.docs.example', '127.0.0.6', '/usr/share/developers-reference', /^genindex/),
];

function site(name: string, address: string, root: string, index: RegExp): DocsSite {
  const files = existsSync(root) ? readdirSync(root) : [];
  const start = files.find((file) => file === 'index.html' || file === 'index.en.html') ?? '';
  return {
    name,
    address,
    root,
    start,
    indexPages: files.filter((file) => file.endsWith('.html') && index.test(file)).sort(),
  };
}

export interface DocsWeb {
  readonly sites: readonly DocsSite[];
  readonly seeds: readonly string[];
  readonly hostsFile: string;
  readonly port: number;
  stop(): Promise<void>;
}

/** Debian packages that hold the pages and the server; `.ci/run` installs them. */
export const DOCS_PACKAGES = [
  'nginx-light',
  'python3-doc',
  'postgresql-doc-15',
  'debian-reference',
  'debian-policy',
  'developers-reference',
];

export function docsAreInstalled(): boolean {
  return existsSync('/usr/sbin/nginx') && SITES.every((site) => existsSync(site.root));
}

/** nginx on loopback, one name and one address a set; directories are listed where a set has no start page. */
export async function startDocsWeb(names: readonly string[] = SITES.map((site) => site.name)): Promise<DocsWeb> {
  const sites = SITES.filter((site) => names.includes(site.name));
  const folder = mkdtempSync(join(tmpdir(), 'winnow-docs-'));
  const port = await freePort();
  const hostsFile = join(folder, 'hosts');
  writeFileSync(hostsFile, sites.map((site) => `${site.address} ${site.name}\n`).join(''));
  writeFileSync(join(folder, 'nginx.conf'), nginxConf(folder, port, sites));
  const nginx = spawn(
    '/usr/sbin/nginx',
    ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', join(folder, 'error.log')],
    {
      stdio: 'inherit',
    },
  );
  await untilAnswering(`http://${sites[0]?.address}:${port}/`, nginx);
  return {
    sites,
    seeds: sites.map((site) => `http://${site.name}:${port}/${site.start}`),
    hostsFile,
    port,
    stop: () => stopProcess(nginx),
  };
}

function nginxConf(folder: string, port: number, sites: readonly DocsSite[]): string {
  const servers = sites.map(
    (site) => `
  server {
    listen ${site.address}:${port};
    server_name ${site.name};
    root ${site.root};
    index index.html index.en.html;
    autoindex on;
    disable_symlinks off;
  }`,
  );
  return `daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
user root;
events { worker_connections 512; }
http {
  include /etc/nginx/mime.types;
  default_type application/octet-stream;
  charset utf-8;
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
${servers.join('\n')}
}
`;
}

/** A port that was free a moment ago on every loopback address. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '0.0.0.0', () => {
      const address = server.address();
      server.close(() =>
        typeof address === 'object' && address !== null ? resolve(address.port) : reject(new Error('no port')),
      );
    });
  });
}

/** Asks until an answer comes; throws when the process ends or the time has passed. */
export async function untilAnswering(url: string, child: ChildProcess, seconds = 10): Promise<void> {
  const until = Date.now() + seconds * 1000;
  while (Date.now() < until) {
    if (child.exitCode !== null) throw new Error(`the server for ${url} ended with status ${child.exitCode}`);
    const answered = await fetch(url).then(
      (response) => response.body?.cancel().then(() => true) ?? true,
      () => false,
    );
    if (answered) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`no answer from ${url} within ${seconds} seconds`);
}

export function stopProcess(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill(signal);
  });
}
