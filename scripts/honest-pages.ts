/**
 * Makes the folder of honest pages that the shipped models are trained with besides the labelled ones: documentation
 * in HTML from Debian packages. Pages are copied, not committed.
 *
 * node scripts/honest-pages.ts OUT
 *
 * Downloads each package with `apt-get download` (as a Debian machine is set up for it), takes its .deb apart and
 * copies at most PAGES pages of it, evenly spread over their sorted names, so that the same packages give the same
 * pages. Of every page a short one is made as well, of its title and its first paragraphs: being short is no fault. Writes OUT/pages/… and OUT/labels.csv. Packages left out here (nodejs-doc, valgrind) are for testing.
 */
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { BLOCK_HEADING } from '../src/model/page.ts';
import { readPage } from '../src/page/page.ts';
import { PAGE_OPTIONS } from '../src/page/page-options.ts';

const PACKAGES: readonly string[] = [
  'debian-policy',
  'debian-faq',
  ...['de', 'fr', 'it', 'ja', 'nl', 'ru', 'zh-cn'].map((language) => `debian-faq-${language}`),
  ...['es', 'pt'].map((language) => `debian-reference-${language}`),
  'debian-reference-en',
  'developers-reference',
  'libxslt1-dev',
  'postgresql-doc-15',
  'python3.11-doc',
  'apache2-doc',
  'sqlite3-doc',
];

/** Of one package at most, and bytes of a page. */
const PAGES = 40;
const LARGEST = 300_000;

const out = process.argv[2];
if (out === undefined) throw new Error('usage: node scripts/honest-pages.ts OUT');
const pages = join(out, 'pages');
mkdirSync(pages, { recursive: true });
const rows = PACKAGES.flatMap((name) => pagesOf(name).map((file) => `pages/${file},ham,documentation,,debian:${name}`));
writeFileSync(join(out, 'labels.csv'), `file,label,kind,language,site\n${rows.join('\n')}\n`);
console.log(`${rows.length} pages of ${PACKAGES.length} packages in ${out}`);

/** Copies the pages of one package; their names in `pages`. */
function pagesOf(name: string): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'honest-'));
  try {
    execFileSync('apt-get', ['download', '-qq', name], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
    const [deb] = readdirSync(folder);
    execFileSync('dpkg-deb', ['-x', deb ?? '', 'tree'], { cwd: folder });
    return copyPages(name, join(folder, 'tree'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function copyPages(name: string, tree: string): string[] {
  const all = readdirSync(tree, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.html?$/.test(file))
    .sort()
    .map((file) => join(tree, file))
    .filter((file) => statSync(file).isFile() && statSync(file).size <= LARGEST);
  const step = Math.max(1, all.length / PAGES);
  const picked = Array.from({ length: Math.min(PAGES, all.length) }, (_, at) => all[Math.floor(at * step)] ?? '');
  return picked.flatMap((file, at) => {
    const copy = `${name}-${String(at).padStart(2, '0')}-${basename(file)}`;
    copyFileSync(file, join(pages, copy));
    const short = excerpt(readFileSync(file), 1 + (at % 3));
    if (short === undefined) return [copy];
    writeFileSync(join(pages, `short-${copy}`), short);
    return [copy, `short-${copy}`];
  });
}

/** A page of the title, two links and the first paragraphs; undefined for a page without paragraphs. */
function excerpt(bytes: Uint8Array, paragraphs: number): string | undefined {
  const page = readPage(bytes, {}, PAGE_OPTIONS);
  const texts = page.blocks
    .filter(({ flags, text }) => (flags & BLOCK_HEADING) === 0 && text.length > 40 && text.length < 600)
    .slice(0, paragraphs);
  if (texts.length === 0 || page.title === '') return undefined;
  const title = markup(page.title);
  const body = texts.map(({ text }) => `<p>${markup(text)}</p>`).join('\n');
  return `<!DOCTYPE html>
<html><head><meta charset="utf-8"><title>${title}</title></head>
<body><nav><a href="index.html">Index</a> <a href="next.html">&gt;</a></nav><main><h1>${title}</h1>${body}</main></body></html>
`;
}

function markup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
