import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { messageOf, UsageError } from '../config/errors.ts';
import type { Page } from '../model/page.ts';
import { readPage } from '../page/page.ts';
import { PAGE_OPTIONS } from '../page/page-options.ts';
import { hostName, registrableDomain } from '../url/url.ts';
import type { JudgedForm } from './forms.ts';

const LINE = z.object({ file: z.string(), url: z.string(), forms: z.array(z.string()) });

/** The pages of an annotation file one by one; a bad line or a missing page is a {@link UsageError} that names it. */
export function readAnnotatedPages(
  text: string,
  { file, folder }: { readonly file: string; readonly folder: string },
  judge: (page: Page, letters: readonly string[], group: string) => readonly JudgedForm[] | undefined,
): { readonly pages: (readonly JudgedForm[])[]; readonly skipped: string[] } {
  const pages: (readonly JudgedForm[])[] = [];
  const skipped: string[] = [];
  text.split(/\r?\n/).forEach((line, at) => {
    if (line.trim() === '') return;
    const where = `${file}:${at + 1}`;
    const { file: name, url, forms } = parseLine(line, where);
    const page = readPage(pageBytes(folder, name, where), { url }, PAGE_OPTIONS);
    const judged = judge(page, forms, registrableDomain(hostName(url)));
    if (judged === undefined) skipped.push(name);
    else pages.push(judged);
  });
  return { pages, skipped };
}

function parseLine(line: string, where: string): z.infer<typeof LINE> {
  try {
    return LINE.parse(JSON.parse(line));
  } catch (error) {
    throw new UsageError(`${where}: not a line { file, url, forms }: ${messageOf(error).slice(0, 200)}`);
  }
}

/** `--pages` may be the folder of the annotations or, one below, that of the pages. */
function pageBytes(folder: string, name: string, where: string): Uint8Array {
  const inside = join(folder, name.replace(/^pages\//, ''));
  const path = existsSync(join(folder, name)) ? join(folder, name) : inside;
  try {
    return readFileSync(path);
  } catch (error) {
    throw new UsageError(`${where}: cannot read the page ${name}: ${messageOf(error)}`);
  }
}
