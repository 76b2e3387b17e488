import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultPage, type RealServer, softErrors } from './real-server.ts';

const UNKNOWN = '/articles/2019/harbour.html';

const tomcat: RealServer = {
  name: 'tomcat',
  packages: ['tomcat10'],
  needs: ['/usr/bin/java', '/usr/share/tomcat10/bin/bootstrap.jar', '/usr/share/tomcat10-root/default_root/index.html'],
  answers: [defaultPage('/'), ...softErrors([UNKNOWN, '/private.jsp', '/broken.jsp', '/busy.jsp'])],
  honest: [],
  prepare({ folder, port }) {
    for (const name of ['conf', 'logs', 'temp', 'work', 'webapps/ROOT'])
      mkdirSync(join(folder, name), { recursive: true });
    cpSync('/etc/tomcat10/web.xml', join(folder, 'conf/web.xml'));
    cpSync('/usr/share/tomcat10-root/default_root/index.html', join(folder, 'webapps/ROOT/index.html'));
    writeFileSync(join(folder, 'webapps/ROOT/private.jsp'), '<% response.sendError(403); %>');
    writeFileSync(
      join(folder, 'webapps/ROOT/broken.jsp'),
      '<% if (true) throw new RuntimeException("no tide table"); %>',
    );
    writeFileSync(join(folder, 'webapps/ROOT/busy.jsp'), '<% response.sendError(503); %>');
    writeFileSync(
      join(folder, 'conf/server.xml'),
      `<Server port="-1"><Service name="Catalina">
<Connector address="127.0.0.1" port="${port}" protocol="HTTP/1.1" />
<Engine name="Catalina" defaultHost="localhost"><Host name="localhost" appBase="webapps" /></Engine>
</Service></Server>
`,
    );
    const bin = '/usr/share/tomcat10/bin';
    return {
      program: '/usr/bin/java',
      args: [
        ...['-Xmx128m', '-XX:TieredStopAtLevel=1', `-Dcatalina.base=${folder}`, '-Dcatalina.home=/usr/share/tomcat10'],
        ...[`-Djava.io.tmpdir=${folder}/temp`, '-cp', `${bin}/bootstrap.jar:${bin}/tomcat-juli.jar`],
        ...['org.apache.catalina.startup.Bootstrap', 'start'],
      ],
    };
  },
};

const webrick: RealServer = {
  name: 'webrick',
  packages: ['ruby-webrick'],
  needs: ['/usr/bin/ruby', '/usr/share/doc/ruby-webrick'],
  answers: softErrors([UNKNOWN, '/private', '/broken', '/busy']),
  honest: [],
  prepare({ folder, port, pages }) {
    writeFileSync(
      join(folder, 'server.rb'),
      `require 'webrick'
server = WEBrick::HTTPServer.new(BindAddress: '127.0.0.1', Port: ${port}, DocumentRoot: '${pages}')
server.mount_proc('/private') { raise WEBrick::HTTPStatus::Forbidden }
server.mount_proc('/broken') { raise 'no tide table' }
server.mount_proc('/busy') { raise WEBrick::HTTPStatus::ServiceUnavailable }
trap('TERM') { server.shutdown }
server.start
`,
    );
    return { program: '/usr/bin/ruby', args: [join(folder, 'server.rb')] };
  },
};

/** As `django-admin startproject` leaves a project: settings for developing, no pages. */
const djangoNew: RealServer = {
  name: 'django-new',
  packages: ['python3-django'],
  needs: ['/usr/bin/python3', '/usr/lib/python3/dist-packages/django'],
  answers: [defaultPage('/'), ...softErrors([UNKNOWN])],
  honest: [],
  prepare: ({ folder, port }) => djangoCommand(folder, port, { debug: 'True', urls: [] }),
};

const django: RealServer = {
  name: 'django',
  packages: ['python3-django'],
  needs: ['/usr/bin/python3', '/usr/lib/python3/dist-packages/django'],
  answers: softErrors([UNKNOWN, '/private', '/broken', '/wrong']),
  honest: [],
  prepare: ({ folder, port }) => djangoCommand(folder, port, { debug: 'False', urls: ['private', 'broken', 'wrong'] }),
};

const djangoDebug: RealServer = {
  name: 'django-debug',
  packages: ['python3-django'],
  needs: ['/usr/bin/python3', '/usr/lib/python3/dist-packages/django'],
  answers: softErrors([UNKNOWN, '/broken']),
  honest: [],
  prepare: ({ folder, port }) => djangoCommand(folder, port, { debug: 'True', urls: ['private', 'broken', 'wrong'] }),
};

function djangoCommand(
  folder: string,
  port: number,
  site: { readonly debug: string; readonly urls: readonly string[] },
): { program: string; args: string[] } {
  writeFileSync(
    join(folder, 'site_of_test.py'),
    `import sys
from django.conf import settings
from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.core.management import execute_from_command_line
from django.urls import path

settings.configure(DEBUG=${site.debug}, ROOT_URLCONF='__main__', SECRET_KEY='test', ALLOWED_HOSTS=['*'],
    INSTALLED_APPS=['django.contrib.contenttypes', 'django.contrib.auth'], USE_TZ=True,
    MIDDLEWARE=['django.middleware.common.CommonMiddleware'],
    TEMPLATES=[{'BACKEND': 'django.template.backends.django.DjangoTemplates', 'APP_DIRS': True}])

def private(request):
    raise PermissionDenied()

def broken(request):
    return {'tides': 1}['tide']

def wrong(request):
    raise SuspiciousOperation()

urlpatterns = [${site.urls.map((name) => `path('${name}', ${name})`).join(', ')}]
execute_from_command_line(['site', 'runserver', '--noreload', '127.0.0.1:${port}'])
`,
  );
  return { program: '/usr/bin/python3', args: [join(folder, 'site_of_test.py')] };
}

const flask: RealServer = {
  name: 'flask',
  packages: ['python3-flask'],
  needs: ['/usr/bin/python3', '/usr/lib/python3/dist-packages/flask'],
  answers: softErrors([UNKNOWN, '/answer-401', '/answer-403', '/answer-410', '/answer-500', '/answer-503']),
  honest: [],
  prepare({ folder, port }) {
    writeFileSync(
      join(folder, 'app.py'),
      `from flask import Flask, abort

app = Flask(__name__)

@app.route('/answer-<int:status>')
def answer(status):
    abort(status)
`,
    );
    return {
      program: '/usr/bin/python3',
      args: ['-m', 'flask', '--app', 'app', 'run', '--host', '127.0.0.1', '--port', String(port)],
    };
  },
};

/** Servers and frameworks of programs. */
export const APPLICATION_SERVERS = [tomcat, webrick, djangoNew, django, djangoDebug, flask];
