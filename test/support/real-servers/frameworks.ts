import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Place, type RealServer, softErrors } from './real-server.ts';

const UNKNOWN = '/articles/2019/harbour.html';
const PYTHON = '/usr/bin/python3';
const THREE_ANSWERS = [UNKNOWN, '/private', '/broken'];
const MODULES = '/usr/lib/python3/dist-packages';

interface PythonProgram {
  readonly name: string;
  readonly package: string;
  /** File or folder among the modules of Debian's Python. */
  readonly module: string;
  readonly answers: readonly string[];
  /** PORT stands for the port. */
  readonly text: string;
}

/** A program of Python that answers with what its framework has for a missing page, a refusal and a fault. */
function pythonProgram({ name, package: packageName, module, answers, text }: PythonProgram): RealServer {
  return {
    name,
    packages: [packageName],
    needs: [PYTHON, join(MODULES, module)],
    answers: softErrors(answers),
    honest: [],
    prepare({ folder, port }: Place) {
      writeFileSync(join(folder, 'program.py'), text.replace('PORT', String(port)));
      return { program: PYTHON, args: [join(folder, 'program.py')] };
    },
  };
}

const bottle = pythonProgram({
  name: 'bottle',
  package: 'python3-bottle',
  module: 'bottle.py',
  answers: THREE_ANSWERS,
  text: `from bottle import abort, route, run

@route('/private')
def private():
    abort(403)

@route('/broken')
def broken():
    raise KeyError('tide')

run(host='127.0.0.1', port=PORT)
`,
});

const cherrypy = pythonProgram({
  name: 'cherrypy',
  package: 'python3-cherrypy3',
  module: 'cherrypy',
  answers: THREE_ANSWERS,
  text: `import cherrypy

class Root:
    @cherrypy.expose
    def private(self):
        raise cherrypy.HTTPError(403)

    @cherrypy.expose
    def broken(self):
        raise KeyError('tide')

cherrypy.quickstart(Root(), '/', {'global': {'server.socket_host': '127.0.0.1', 'server.socket_port': PORT}})
`,
});

const tornado = pythonProgram({
  name: 'tornado',
  package: 'python3-tornado',
  module: 'tornado',
  answers: THREE_ANSWERS,
  text: `import asyncio
import tornado.web

class Private(tornado.web.RequestHandler):
    def get(self):
        raise tornado.web.HTTPError(403)

class Broken(tornado.web.RequestHandler):
    def get(self):
        raise KeyError('tide')

async def main():
    tornado.web.Application([('/private', Private), ('/broken', Broken)]).listen(PORT, '127.0.0.1')
    await asyncio.Event().wait()

asyncio.run(main())
`,
});

const twisted = pythonProgram({
  name: 'twisted',
  package: 'python3-twisted',
  module: 'twisted',
  answers: [UNKNOWN, '/private'],
  text: `from twisted.internet import reactor
from twisted.web import resource, server

root = resource.Resource()
root.putChild(b'private', resource.ForbiddenResource())
reactor.listenTCP(PORT, server.Site(root), interface='127.0.0.1')
reactor.run()
`,
});

const hgweb: RealServer = {
  name: 'hgweb',
  packages: ['mercurial'],
  needs: ['/usr/bin/hg'],
  answers: softErrors(['/rev/0123456789ab', '/harbour']),
  honest: [],
  prepare({ port }) {
    return {
      program: '/bin/sh',
      args: ['-c', `/usr/bin/hg init garden && exec /usr/bin/hg serve --cwd garden --address 127.0.0.1 --port ${port}`],
    };
  },
};

/** Looked at last, when the detector was as it is. */
export const FRAMEWORKS = [bottle, cherrypy, tornado, twisted, hgweb];
