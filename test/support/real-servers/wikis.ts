import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultPage, inLanguages, type RealServer, softErrors } from './real-server.ts';

const WIKI_PAGE = `====== Saving seeds ======

Let the pods dry on the plant until they rattle. Bring them in before the first frost, hang them under the roof for two
weeks and shell them on a dry day. Beans that can be marked with a finger nail are not dry enough.

===== Storing =====

Paper bags breathe, glass does not. Write the sort, the bed and the year on the bag: in spring all beans look alike. Most
kinds keep for three years, onions and parsnips for one. If nothing comes up, the seed was too old or the soil too cold;
try ten seeds on wet paper before you sow a whole row.
`;

const FOSSIL_PAGE = `# Turning compost

A heap that is warm inside is at work. When it cools, fork the outside to the middle, wet what is dry and cover it again.
Three turns in a summer are enough; by spring it smells of wood and crumbles in the hand.

Eggshells and tea go in, cooked food does not. Cut branches to the length of a finger, or they are still there next year.
`;

const dokuwiki: RealServer = {
  name: 'dokuwiki',
  packages: ['dokuwiki', 'php-cli'],
  needs: ['/usr/bin/php', '/usr/share/dokuwiki/doku.php', '/etc/dokuwiki/dokuwiki.php'],
  answers: [
    ...softErrors(['/doku.php?id=start', '/doku.php?id=articles:harbour']),
    ...inLanguages('/doku.php?id={}:harbour', ['de', 'fr', 'es', 'it', 'nl', 'pl', 'ru', 'ja', 'zh', 'tr']),
  ],
  honest: ['/doku.php?id=garden:seeds', '/doku.php?id=wiki:dokuwiki', '/doku.php?id=wiki:syntax'],
  prepare({ folder, port }) {
    const root = join(folder, 'wiki');
    cpSync('/usr/share/dokuwiki', root, { recursive: true, dereference: true });
    // Debian's preload.php points to the configuration of the machine.
    rmSync(join(root, 'inc/preload.php'));
    cpSync('/etc/dokuwiki', join(root, 'conf'), { recursive: true, dereference: true });
    cpSync('/var/lib/dokuwiki/data', join(folder, 'data'), { recursive: true });
    mkdirSync(join(folder, 'data/pages/garden'));
    writeFileSync(join(folder, 'data/pages/garden/seeds.txt'), WIKI_PAGE);
    writeFileSync(
      join(root, 'conf/local.php'),
      `<?php
$conf['title'] = 'Garden wiki';
$conf['savedir'] = '${folder}/data';
$conf['useacl'] = 0;
$conf['indexdelay'] = 0;
$conf['lang'] = preg_match('/^[a-z]{2}/', $_SERVER['HTTP_ACCEPT_LANGUAGE'] ?? '', $found) ? $found[0] : 'en';
`,
    );
    return { program: '/usr/bin/php', args: ['-S', `127.0.0.1:${port}`, '-t', root] };
  },
};

const fossil: RealServer = {
  name: 'fossil',
  packages: ['fossil'],
  needs: ['/usr/bin/fossil'],
  answers: [
    defaultPage('/home'),
    ...softErrors(['/wiki?name=Harbour', '/doc/trunk/harbour.html', '/harbour.html', '/info/0123456789abcdef']),
  ],
  honest: ['/wiki?name=Seeds'],
  prepare({ folder, port }) {
    const repository = join(folder, 'garden.fossil');
    const run = (args: readonly string[], input = ''): void => {
      spawnSync('/usr/bin/fossil', [...args], { cwd: folder, env: { HOME: folder, USER: 'gardener' }, input });
    };
    run(['init', '--admin-user', 'gardener', repository]);
    run(['wiki', 'create', 'Seeds', '-R', repository, '-M', 'text/x-markdown'], FOSSIL_PAGE);
    return {
      program: '/usr/bin/fossil',
      args: ['server', repository, '--localhost', '--port', String(port)],
      env: { USER: 'gardener' },
    };
  },
};

export const WIKIS = [dokuwiki, fossil];
