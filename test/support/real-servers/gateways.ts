import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEAD_PORT, inLanguages, type RealServer, softErrors } from './real-server.ts';

const squid: RealServer = {
  name: 'squid',
  packages: ['squid'],
  needs: ['/usr/sbin/squid', '/usr/share/squid/errors/en'],
  answers: [
    ...inLanguages('/{}/harbour.html', ['en', 'de', 'fr', 'es', 'it', 'nl', 'pl', 'ru', 'ja', 'zh-cn', 'tr', 'ar']),
    ...softErrors(['/private']),
  ],
  honest: [],
  prepare({ folder, port }) {
    // Squid leaves root for the user "proxy", which writes the logs.
    chmodSync(folder, 0o777);
    writeFileSync(
      join(folder, 'squid.conf'),
      `http_port 127.0.0.1:${port} accel defaultsite=squid.example no-vhost
cache_peer 127.0.0.1 parent ${DEAD_PORT} 0 no-query originserver no-digest
acl private urlpath_regex ^/private
http_access deny private
http_access allow all
visible_hostname squid.example
pid_filename ${folder}/squid.pid
cache_log ${folder}/cache.log
access_log none
netdb_filename none
coredump_dir ${folder}
shutdown_lifetime 0 seconds
`,
    );
    return { program: '/usr/sbin/squid', args: ['-N', '-f', join(folder, 'squid.conf')] };
  },
};

const HAPROXY_STATUSES = [400, 401, 403, 404, 405, 408, 410, 429, 500, 502, 504];

const haproxy: RealServer = {
  name: 'haproxy',
  packages: ['haproxy'],
  needs: ['/usr/sbin/haproxy'],
  answers: softErrors(['/articles/2019/harbour.html', ...HAPROXY_STATUSES.map((status) => `/answer-${status}`)]),
  honest: [],
  prepare({ folder, port }) {
    const denials = HAPROXY_STATUSES.map(
      (status) => `  http-request deny deny_status ${status} if { path /answer-${status} }`,
    );
    writeFileSync(
      join(folder, 'haproxy.cfg'),
      `defaults
  mode http
  timeout connect 2s
  timeout client 5s
  timeout server 5s
frontend all
  bind 127.0.0.1:${port}
${denials.join('\n')}
  default_backend dead
backend dead
  server dead 127.0.0.1:${DEAD_PORT}
`,
    );
    return { program: '/usr/sbin/haproxy', args: ['-db', '-f', join(folder, 'haproxy.cfg')] };
  },
};

const varnish: RealServer = {
  name: 'varnish',
  packages: ['varnish'],
  needs: ['/usr/sbin/varnishd', '/usr/bin/gcc'],
  answers: softErrors(['/articles/2019/harbour.html', '/answer-404', '/answer-403', '/answer-500']),
  honest: [],
  prepare({ folder, port }) {
    writeFileSync(
      join(folder, 'test.vcl'),
      `vcl 4.1;
backend default { .host = "127.0.0.1"; .port = "${DEAD_PORT}"; }
sub vcl_recv {
  if (req.url == "/answer-404") { return (synth(404)); }
  if (req.url == "/answer-403") { return (synth(403)); }
  if (req.url == "/answer-500") { return (synth(500)); }
}
`,
    );
    const where = ['-n', join(folder, 'work'), '-a', `127.0.0.1:${port}`, '-f', join(folder, 'test.vcl')];
    return { program: '/usr/sbin/varnishd', args: ['-F', '-j', 'none', '-s', 'malloc,16m', ...where] };
  },
};

/** Servers that stand before others, which do not answer here. */
export const GATEWAYS = [squid, haproxy, varnish];
