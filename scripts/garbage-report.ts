/**
 * Measures both detectors and writes docs/evaluation-garbage.md with its pictures.
 *
 * node scripts/garbage-report.ts SPAM_DIR SOFT_DIR
 *
 * Each folder holds labels.csv and the pages it names. What people wrote about single mistakes stands in docs/garbage-mistakes.md.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GarbageEvaluation } from '../src/model/reports.ts';

const SQUID = 'debian:squid-langpack';
const ROOT = join(import.meta.dirname, '..');
const scratch = mkdtempSync(join(tmpdir(), 'winnow-report-'));
function main(spamDir: string, softDir: string): void {
  if (softDir === '') throw new Error('usage: node scripts/garbage-report.ts SPAM_DIR SOFT_DIR');
  const spam = (...more: string[]) => evaluate('spam', [[spamDir, join(spamDir, 'labels.csv')]], more);
  const soft = (labels: string, ...more: string[]) =>
    evaluate(
      'soft-404',
      [
        [softDir, labels],
        [spamDir, join(spamDir, 'labels.csv')],
      ],
      more,
    );
  const rows: readonly Row[] = [
    { name: 'spam, `standard`', of: spam('--repeat', '5') },
    { name: 'spam, `fast`', of: spam('--repeat', '3', '--level', 'fast') },
    { name: 'spam, 200 strongest words taken out', of: spam('--repeat', '2', '--without-words', '200') },
    { name: 'soft-404, `standard`', of: soft(join(softDir, 'labels.csv'), '--repeat', '3') },
    { name: 'soft-404 without squid', of: soft(withoutSite(join(softDir, 'labels.csv'), SQUID), '--repeat', '3') },
  ];
  writeFileSync(join(ROOT, 'docs/evaluation-garbage.md'), page(rows));
  const shown = rows.filter((_, at) => at !== 1);
  writeFileSync(join(ROOT, 'docs/images/garbage-roc.svg'), picture(shown, ROC));
  writeFileSync(join(ROOT, 'docs/images/garbage-precision.svg'), picture(shown, PRECISION));
}

interface Row {
  readonly name: string;
  readonly of: GarbageEvaluation;
}

function evaluate(
  detector: string,
  folders: readonly (readonly [string, string])[],
  more: readonly string[],
): GarbageEvaluation {
  const given = folders.flatMap(([pages, labels]) => ['--pages', pages, '--labels', labels]);
  const args = ['evaluate', 'garbage', ...given, '--detector', detector, '--folds', '5', '--group', 'owner', ...more];
  console.error(`evaluate garbage --detector ${detector} ${more.join(' ')}`);
  const out = execFileSync(process.execPath, [join(ROOT, 'bin/winnow.js'), ...args, '--json', '--quiet'], {
    maxBuffer: 1 << 28,
  });
  return JSON.parse(out.toString('utf8'));
}

function withoutSite(labels: string, site: string): string {
  const file = join(scratch, 'labels.csv');
  const lines = readFileSync(labels, 'utf8').split('\n');
  writeFileSync(file, lines.filter((line) => !line.includes(site)).join('\n'));
  return file;
}

function page(rows: readonly Row[]): string {
  const [spam, , , soft] = rows;
  if (spam === undefined || soft === undefined) throw new Error('both detectors are measured');
  return `# Garbage, measured

Written by \`node scripts/garbage-report.ts SPAM_DIR SOFT_DIR\` (two folders of labelled pages, see [garbage.md](garbage.md)).
Everything that looks at labels is learned anew on other owners' pages (\`--folds 5 --group owner\`); least, middle and greatest
of the repeats. Soft-404 is measured on both folders, so good pages and spam are its negatives; "squid" are the error pages of
that proxy in many languages, half of the soft-404 pages.

${table(['', 'ROC AUC', 'recall at 0.2 %', 'at 0.5 %', 'at 2 %', 'at the threshold', 'false alarms there', 'ms reading', 'ms judging'], rows.map(overview))}

![Recall by share of false alarms](images/garbage-roc.svg)

![Precision by recall](images/garbage-precision.svg)

${detail('Spam', spam.of)}
${detail('Soft-404, parked and default pages', soft.of)}`;
}

function overview({ name, of: { spread = {}, millisecondsPerPage: ms } }: Row): string[] {
  const three = (figure: string) => (spread[figure] ?? []).map((value) => value.toFixed(3)).join(' ');
  const at = (rate: string) => three(`recallAtFalseAlarms.${rate}`);
  return [
    ...[name, three('rocAuc'), at('0.002'), at('0.005'), at('0.02'), three('recall'), three('falseAlarms')],
    ...[ms.parse.toFixed(1), ms.judge.toFixed(1)],
  ];
}

function detail(title: string, of: GarbageEvaluation): string {
  const kinds = Object.entries(of.byKind).map(([kind, { pages, found }]) => [kind, `${pages}`, `${found}`]);
  return `## ${title}

First repeat, at the threshold: ${of.truePositives} of ${of.truePositives + of.falseNegatives} found, ${of.falsePositives} of ${of.falsePositives + of.trueNegatives} good pages called garbage.

${table(['kind', 'pages', 'called garbage'], kinds)}

False alarms by language, those with fewer than 50 good pages together:

${table(['language', 'good pages', 'false alarms', 'garbage', 'found'], languages(of))}

Calibration (expected error ${of.calibration.error.toFixed(3)}): pages called garbage with about this probability, and how many of them are.

${table(
  ['pages', 'mean probability', 'share of garbage'],
  of.calibration.bins.map((bin) => [`${bin.pages}`, bin.probability.toFixed(2), bin.garbage.toFixed(2)]),
)}
`;
}

function languages({ byLanguage }: GarbageEvaluation): string[][] {
  const others = { ham: 0, falseAlarms: 0, garbage: 0, found: 0 };
  const rows: string[][] = [];
  for (const [language, counts] of Object.entries(byLanguage)) {
    if (counts.ham >= 50) rows.push([language, ...Object.values(counts).map(String)]);
    else for (const key of Object.keys(others) as (keyof typeof others)[]) others[key] += counts[key];
  }
  return [...rows, ['others', ...Object.values(others).map(String)]];
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

interface Axes {
  readonly title: string;
  readonly x: string;
  readonly y: string;
  /** Place of a point of the curve, both 0–1. */
  readonly place: (point: {
    readonly precision: number;
    readonly recall: number;
    readonly alarms: number;
  }) => readonly [number, number];
  readonly ticks: readonly (readonly [number, string])[];
}

const LEAST_ALARMS = 1e-3;
const logPlace = (rate: number) => 1 - Math.log10(Math.max(rate, LEAST_ALARMS)) / Math.log10(LEAST_ALARMS);
const ROC: Axes = {
  title: 'Recall by share of good pages called garbage',
  x: 'good pages called garbage (logarithmic)',
  y: 'recall',
  place: ({ recall, alarms }) => [logPlace(alarms), recall],
  ticks: [0.001, 0.005, 0.02, 0.1, 1].map((rate) => [logPlace(rate), `${rate * 100} %`]),
};
const PRECISION: Axes = {
  title: 'Precision by recall',
  x: 'recall',
  y: 'precision',
  place: ({ precision, recall }) => [recall, precision],
  ticks: [0, 0.25, 0.5, 0.75, 1].map((recall) => [recall, `${recall}`]),
};

const COLOURS = ['#1f77b4', '#d62728', '#2ca02c', '#9467bd'];
const LEFT = 60;
const TOP = 40;
const WIDTH = 520;
const HEIGHT = 320;

function picture(rows: readonly Row[], axes: Axes): string {
  const at = ([x, y]: readonly [number, number]) =>
    `${(LEFT + x * WIDTH).toFixed(1)},${(TOP + (1 - y) * HEIGHT).toFixed(1)}`;
  const curves = rows.map(({ of }, i) => {
    const good = of.trueNegatives + of.falsePositives;
    const garbage = of.truePositives + of.falseNegatives;
    const points = of.curve.map(([, precision, recall]) => {
      const alarms = precision === 0 ? 1 : (recall * garbage * (1 / precision - 1)) / good;
      return at(axes.place({ precision, recall, alarms }));
    });
    return `<polyline fill="none" stroke="${COLOURS[i]}" stroke-width="2" points="${points.join(' ')}"/>`;
  });
  const ticks = axes.ticks.map(
    ([x, text]) => `<path d="M${at([x, 0])}v5" stroke="#777"/>${label(LEFT + x * WIDTH, TOP + HEIGHT + 20, text)}`,
  );
  const levels = [0, 0.25, 0.5, 0.75, 1].map(
    (y) =>
      `<path d="M${at([0, y])}h${WIDTH}" stroke="#777" opacity="0.25"/>${label(LEFT - 20, TOP + (1 - y) * HEIGHT + 4, `${y}`)}`,
  );
  const legend = rows.map(
    ({ name }, i) =>
      `<path d="M${LEFT + WIDTH + 20},${TOP + 20 * i + 10}h20" stroke="${COLOURS[i]}" stroke-width="2"/><text x="${LEFT + WIDTH + 46}" y="${TOP + 20 * i + 14}">${name.replaceAll('`', '')}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 860 ${TOP + HEIGHT + 60}" font-family="sans-serif" font-size="12" fill="#777">
<title>${axes.title}</title>
${label(LEFT + WIDTH / 2, 22, axes.title)}
${levels.join('\n')}
${ticks.join('\n')}
${curves.join('\n')}
${legend.join('\n')}
${label(LEFT + WIDTH / 2, TOP + HEIGHT + 44, axes.x)}
<text transform="translate(14 ${TOP + HEIGHT / 2}) rotate(-90)" text-anchor="middle">${axes.y}</text>
</svg>
`;
}

function label(x: number, y: number, text: string): string {
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="middle">${text}</text>`;
}

try {
  main(process.argv[2] ?? '', process.argv[3] ?? '');
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
