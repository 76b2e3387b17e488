import type { DetectorName, Verdict } from '../../model/lists.ts';
import type { TermModel } from './term-model.ts';
import type { DetectorPart } from './train-detector.ts';

export type LevelName = 'fast' | 'standard';

/** Names of parts. */
export type SizedParts = Readonly<Record<'full' | 'reduced', string>>;

/** A part with its feature names in the order its model wants. */
export interface NamedPart extends DetectorPart {
  readonly features: readonly string[];
}

/** What one detector has learned; the JSON file of a model. */
export interface DetectorModel {
  /** Of this shape; other numbers are refused. */
  readonly format: 1;
  readonly detector: DetectorName;
  /** Names the model in reports and in stored verdicts. */
  readonly version: string;
  readonly terms: TermModel;
  /** `thorough` uses the trees of `standard` on what it alone gets to know. */
  readonly levels: Readonly<Record<LevelName, SizedParts>>;
  /** Trees by name; levels may share one. */
  readonly parts: Readonly<Record<string, NamedPart>>;
  readonly training: {
    readonly pages: number;
    readonly groups: number;
    readonly labels: Readonly<Record<string, number>>;
    /** First 6 bytes of the SHA-256 of each page trained on, one after the other, base64. */
    readonly hashes: string;
  };
}

/** Verdicts of the soft-404 detector's family. */
export type SoftKind = Exclude<Verdict, 'keep' | 'spam'>;

/** The trees of a level. @throws when the model names trees it does not hold, which a damaged file may. */
export function partOf(model: DetectorModel, level: LevelName, size: 'full' | 'reduced'): NamedPart {
  const part = model.parts[model.levels[level][size]];
  if (part === undefined) throw new Error(`model ${model.detector}-${model.version} has no ${size} trees for ${level}`);
  return part;
}

const HASH_BYTES = 6;

export function packHashes(ids: readonly string[]): string {
  return Buffer.from(ids.map((id) => id.slice(0, HASH_BYTES * 2)).join(''), 'hex').toString('base64');
}

/** Ids of pages trained on, cut to 12 hex digits. */
export function unpackHashes(packed: string): Set<string> {
  const hex = Buffer.from(packed, 'base64').toString('hex');
  const ids = new Set<string>();
  for (let at = 0; at < hex.length; at += HASH_BYTES * 2) ids.add(hex.slice(at, at + HASH_BYTES * 2));
  return ids;
}

/** Whether a parsed JSON value has the outer shape of a model of this detector. */
export function isDetectorModel(value: unknown, detector: DetectorName): value is DetectorModel {
  if (typeof value !== 'object' || value === null) return false;
  const { format, detector: named, version, terms, levels, parts } = value as Partial<DetectorModel>;
  const isWhole = terms !== undefined && levels !== undefined && parts !== undefined;
  return format === 1 && named === detector && typeof version === 'string' && isWhole;
}
