import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { DetectorName } from '../../model/lists.ts';

/** What the store itself reads of a model. */
export interface StoredModel {
  readonly detector: DetectorName;
  readonly version: string;
}

export interface ModelRow {
  readonly detector: DetectorName;
  readonly version: string;
  readonly file: string;
  readonly shipped: boolean;
  readonly inUse: boolean;
}

/** The models that come with Winnow. */
export const SHIPPED_MODELS: string = resolve(import.meta.dirname, '../../../models');

/**
 * Models of a data folder (`models/DETECTOR-VERSION.json`) and those shipped. `models/in-use.json` names the version in
 * use of each detector and the ones before it; without an entry the newest shipped model is used.
 */
export class ModelStore<Model extends StoredModel> {
  readonly #folder: string;
  readonly #shipped: string;
  readonly #accept: (value: unknown, detector: DetectorName) => value is Model;

  /**
   * @param folder `models` of a data folder; need not exist.
   * @param accept tells a model of this program's format from other JSON.
   */
  constructor(folder: string, shipped: string, accept: (value: unknown, detector: DetectorName) => value is Model) {
    this.#folder = folder;
    this.#shipped = shipped;
    this.#accept = accept;
  }

  /** The model in use. Undefined when there is none that this program reads. */
  load(detector: DetectorName): Model | undefined {
    const chosen = this.#history()[detector].at(-1);
    const own = chosen === undefined ? undefined : this.#read(detector, chosen);
    if (own) return own;
    const newest = this.#versions(this.#shipped, detector).at(-1);
    return newest === undefined ? undefined : this.#read(detector, newest);
  }

  /** Writes a model beside the others; it is used only after {@link promote}. */
  save(model: Model): string {
    const file = join(this.#folder, fileName(model.detector, model.version));
    writeWhole(file, JSON.stringify(model), this.#folder);
    return file;
  }

  /** Uses this version from now on. False when there is no such model. */
  promote(detector: DetectorName, version: string): boolean {
    if (this.#read(detector, version) === undefined) return false;
    const history = this.#history();
    this.#keepHistory({ ...history, [detector]: [...history[detector], version] });
    return true;
  }

  /** Back to the version used before; the one now used, undefined when there was none before the present one. */
  rollback(detector: DetectorName): string | undefined {
    const history = this.#history();
    if (history[detector].length === 0) return undefined;
    this.#keepHistory({ ...history, [detector]: history[detector].slice(0, -1) });
    return this.load(detector)?.version;
  }

  list(): ModelRow[] {
    const rows: ModelRow[] = [];
    for (const detector of ['spam', 'soft-404'] as const) {
      const inUse = this.load(detector)?.version;
      for (const folder of [this.#shipped, this.#folder]) {
        for (const version of this.#versions(folder, detector)) {
          const file = join(folder, fileName(detector, version));
          rows.push({ detector, version, file, shipped: folder === this.#shipped, inUse: version === inUse });
        }
      }
    }
    return rows;
  }

  #read(detector: DetectorName, version: string): Model | undefined {
    for (const folder of [this.#folder, this.#shipped]) {
      const file = join(folder, fileName(detector, version));
      if (!existsSync(file)) continue;
      const value = parseJson(readFileSync(file, 'utf8'));
      if (this.#accept(value, detector)) return value;
    }
    return undefined;
  }

  #versions(folder: string, detector: DetectorName): string[] {
    if (!existsSync(folder)) return [];
    const pattern = new RegExp(`^${detector}-(\\d[\\w.-]*)\\.json$`);
    return readdirSync(folder)
      .flatMap((name) => pattern.exec(name)?.[1] ?? [])
      .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  }

  #history(): Record<DetectorName, readonly string[]> {
    const file = join(this.#folder, IN_USE);
    const value = existsSync(file) ? parseJson(readFileSync(file, 'utf8')) : undefined;
    const lists = typeof value === 'object' && value !== null ? (value as Partial<Record<DetectorName, unknown>>) : {};
    return { spam: strings(lists.spam), 'soft-404': strings(lists['soft-404']) };
  }

  #keepHistory(history: Record<DetectorName, readonly string[]>): void {
    writeWhole(join(this.#folder, IN_USE), JSON.stringify(history), this.#folder);
  }
}

const IN_USE = 'in-use.json';

function fileName(detector: DetectorName, version: string): string {
  return `${detector}-${version}.json`;
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** Undefined for text that is no JSON: a damaged model is as good as none. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function writeWhole(file: string, text: string, folder: string): void {
  mkdirSync(folder, { recursive: true });
  const fresh = `${file}.new-${process.pid}`;
  writeFileSync(fresh, text);
  renameSync(fresh, file);
}
