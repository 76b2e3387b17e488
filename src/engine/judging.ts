import type { Judgement } from '../model/garbage.ts';
import type { Level } from '../model/lists.ts';
import type { Page, PageContext } from '../model/page.ts';

export type HostKnowledge = Readonly<Record<string, never>>;
export interface DetectorSetup {
  readonly modelFolder: string;
}
export type Judge = (
  page: Page,
  context: PageContext,
  how: { readonly level: Level; readonly host: HostKnowledge },
) => Judgement;
export function createJudge(_setup: DetectorSetup): Judge {
  return (_page, _context, { level }) => ({
    verdict: 'keep',
    kinds: [],
    probability: { spam: 0, 'soft-404': 0 },
    threshold: { spam: 1, 'soft-404': 1 },
    level,
    trees: [],
    features: {},
    reasons: [],
    modelVersion: 'none',
  });
}
export function modelVersions(_dataDir: string): { readonly spam: string; readonly 'soft-404': string } {
  return { spam: 'none', 'soft-404': 'none' };
}
