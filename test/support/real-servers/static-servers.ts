import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEAD_PORT, defaultPage, inLanguages, type Place, type RealServer, softErrors } from './real-server.ts';

const PYTHON_DOCS = '/usr/share/doc/python3.11/html/library';

const nginx: RealServer = {
  name: 'nginx',
  packages: ['nginx-light', 'python3-doc'],
  needs: ['/usr/sbin/nginx', PYTHON_DOCS],
  answers: [
    defaultPage('/'),
    ...softErrors(['/articles/2019/harbour.html', '/private', '/moved-away', '/broken', '/upstream', '/slow', '/busy']),
  ],
  honest: ['/docs/what-404-means.html', '/library/http.html', '/library/urllib.error.html'],
  prepare({ folder, port, pages }) {
    writeFileSync(
      join(folder, 'nginx.conf'),
      `daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
user root;
events { worker_connections 64; }
http {
  include /etc/nginx/mime.types;
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  server {
    listen 127.0.0.1:${port};
    root /usr/share/nginx/html;
    location /docs/ { alias ${pages}/; }
    location /library/ { alias ${PYTHON_DOCS}/; }
    location = /private { return 403; }
    location = /moved-away { return 410; }
    location = /broken { return 500; }
    location = /upstream { proxy_pass http://127.0.0.1:${DEAD_PORT}; }
    location = /slow { return 504; }
    location = /busy { return 503; }
  }
}
`,
    );
    return {
      program: '/usr/sbin/nginx',
      args: ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', join(folder, 'error.log')],
    };
  },
};

const APACHE_LANGUAGES = ['cs', 'de', 'en', 'es', 'fr', 'it', 'ja', 'ko', 'nl', 'pl', 'pt-br', 'ro', 'sv', 'tr'];

const APACHE_MODULES = [
  ...['mpm_event', 'authz_core', 'alias', 'dir', 'mime', 'env', 'setenvif'],
  ...['negotiation', 'include', 'proxy', 'proxy_http'],
];

const apache: RealServer = {
  name: 'apache',
  packages: ['apache2', 'python3-doc'],
  needs: ['/usr/sbin/apache2', '/usr/share/apache2/default-site/index.html', PYTHON_DOCS],
  answers: [
    defaultPage('/'),
    ...softErrors(['/articles/2019/harbour.html', '/private', '/moved-away', '/broken', '/upstream', '/busy']),
  ],
  honest: ['/docs/writing-error-pages.html', '/library/http.server.html'],
  prepare: (place) => prepareApache(place, ''),
};

const apacheLanguages: RealServer = {
  name: 'apache-languages',
  packages: ['apache2', 'python3-doc'],
  needs: ['/usr/sbin/apache2', '/usr/share/apache2/error/HTTP_NOT_FOUND.html.var', PYTHON_DOCS],
  answers: [
    ...inLanguages('/{}/harbour.html', APACHE_LANGUAGES),
    ...softErrors(['/private', '/moved-away', '/broken', '/upstream', '/busy']),
  ],
  honest: ['/library/wsgiref.html'],
  prepare: (place) =>
    prepareApache(
      place,
      `Alias /error/ /usr/share/apache2/error/
<Directory /usr/share/apache2/error>
  Options IncludesNoExec
  AddOutputFilter Includes html
  AddHandler type-map var
  LanguagePriority en
  ForceLanguagePriority Prefer Fallback
</Directory>
ErrorDocument 403 /error/HTTP_FORBIDDEN.html.var
ErrorDocument 404 /error/HTTP_NOT_FOUND.html.var
ErrorDocument 410 /error/HTTP_GONE.html.var
ErrorDocument 500 /error/HTTP_INTERNAL_SERVER_ERROR.html.var
ErrorDocument 502 /error/HTTP_BAD_GATEWAY.html.var
ErrorDocument 503 /error/HTTP_SERVICE_UNAVAILABLE.html.var`,
    ),
};

function prepareApache({ folder, port, pages }: Place, more: string): { program: string; args: string[] } {
  const modules = APACHE_MODULES.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`);
  writeFileSync(
    join(folder, 'apache.conf'),
    `${modules.join('\n')}
ServerRoot ${folder}
PidFile ${folder}/apache.pid
DefaultRuntimeDir ${folder}
ErrorLog ${folder}/error.log
Listen 127.0.0.1:${port}
ServerName localhost
ServerSignature On
UseCanonicalName Off
TypesConfig /etc/mime.types
DocumentRoot /usr/share/apache2/default-site
DirectoryIndex index.html
Alias /docs/ ${pages}/
Alias /library/ ${PYTHON_DOCS}/
Redirect 403 /private
Redirect 410 /moved-away
Redirect 500 /broken
Redirect 503 /busy
ProxyPass /upstream http://127.0.0.1:${DEAD_PORT}/
${more}
`,
  );
  return { program: '/usr/sbin/apache2', args: ['-f', join(folder, 'apache.conf'), '-DFOREGROUND'] };
}

const lighttpd: RealServer = {
  name: 'lighttpd',
  packages: ['lighttpd'],
  needs: ['/usr/sbin/lighttpd', '/usr/share/lighttpd/index.html'],
  answers: [defaultPage('/'), ...softErrors(['/articles/2019/harbour.html', '/notes.private', '/upstream'])],
  honest: ['/docs/first-web-server.html'],
  prepare({ folder, port, pages }) {
    writeFileSync(
      join(folder, 'lighttpd.conf'),
      `server.modules = ("mod_access", "mod_alias", "mod_proxy")
server.bind = "127.0.0.1"
server.port = ${port}
server.document-root = "/usr/share/lighttpd"
server.errorlog = "${folder}/error.log"
index-file.names = ("index.html")
mimetype.assign = (".html" => "text/html; charset=utf-8")
alias.url = ("/docs/" => "${pages}/")
url.access-deny = (".private")
$HTTP["url"] == "/upstream" { proxy.server = ("" => (("host" => "127.0.0.1", "port" => ${DEAD_PORT}))) }
`,
    );
    return { program: '/usr/sbin/lighttpd', args: ['-D', '-f', join(folder, 'lighttpd.conf')] };
  },
};

const caddy: RealServer = {
  name: 'caddy',
  packages: ['caddy'],
  needs: ['/usr/bin/caddy', '/usr/share/caddy/index.html'],
  answers: [defaultPage('/')],
  honest: ['/docs/moving-a-domain.html'],
  prepare({ folder, port, pages }) {
    writeFileSync(
      join(folder, 'Caddyfile'),
      `{
  admin off
  auto_https off
}
http://:${port} {
  bind 127.0.0.1
  handle_path /docs/* {
    root * ${pages}
    file_server
  }
  handle {
    root * /usr/share/caddy
    file_server
  }
}
`,
    );
    return {
      program: '/usr/bin/caddy',
      args: ['run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile'],
      env: { XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    };
  },
};

const miniHttpd: RealServer = {
  name: 'mini-httpd',
  packages: ['mini-httpd'],
  needs: ['/usr/sbin/mini_httpd'],
  answers: softErrors(['/articles/2019/harbour.html', '/cgi-bin/count.cgi']),
  honest: ['/status-codes.html'],
  prepare: ({ folder, port, pages }) => ({
    program: '/usr/sbin/mini_httpd',
    args: ['-D', '-p', String(port), '-h', '127.0.0.1', '-d', pages, '-u', 'root', '-i', join(folder, 'pid')],
  }),
};

const pythonServer: RealServer = {
  name: 'python-http',
  packages: ['python3'],
  needs: ['/usr/bin/python3'],
  answers: softErrors(['/articles/2019/harbour.html']),
  honest: ['/opening-hours.html'],
  prepare: ({ port, pages }) => ({
    program: '/usr/bin/python3',
    args: ['-m', 'http.server', String(port), '--bind', '127.0.0.1', '--directory', pages],
  }),
};

const phpServer: RealServer = {
  name: 'php-server',
  packages: ['php-cli'],
  needs: ['/usr/bin/php'],
  answers: softErrors(['/articles/2019/harbour.jpg']),
  honest: [],
  prepare({ folder, port }) {
    mkdirSync(join(folder, 'empty'));
    return { program: '/usr/bin/php', args: ['-S', `127.0.0.1:${port}`, '-t', join(folder, 'empty')] };
  },
};

/** Servers of files. */
export const STATIC_SERVERS = [nginx, apache, apacheLanguages, lighttpd, caddy, miniHttpd, pythonServer, phpServer];
