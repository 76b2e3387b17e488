/**
 * Measures what each heuristic costs and writes src/garbage-detector/content-analyser/data/costs.json.
 *
 * node scripts/heuristic-costs.ts DIR…
 *
 * Each folder holds labels.csv and the pages it names.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CostMeter } from '../src/evaluation/garbage-costs.ts';
import { measureFolders } from '../src/evaluation/garbage-pages.ts';
import { PAGE_OPTIONS } from '../src/page/page-options.ts';

const folders = process.argv.slice(2).map((pages) => ({ pages, labels: join(pages, 'labels.csv') }));
if (folders.length === 0) throw new Error('usage: node scripts/heuristic-costs.ts DIR…');
const meter = new CostMeter();
measureFolders(folders, { page: PAGE_OPTIONS, group: 'owner' }, (page, { parse }) => meter.add(page, parse));
const file = join(import.meta.dirname, '../src/garbage-detector/content-analyser/data/costs.json');
writeFileSync(file, `${JSON.stringify(meter.finish(), null, 2)}\n`);
