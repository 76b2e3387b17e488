import type { Database } from '../kit/sqlite.ts';
import { CandidateIndex } from './candidate-index.ts';
import { type Fingerprint, isComparable } from './fingerprint.ts';
import { type Changes, Grouping } from './grouping.ts';
import { CONTROLLER_STEPS } from './schema.ts';
import { SiteTemplates } from './site-templates.ts';
import { type Member, type Text, TextStore } from './text-store.ts';

export { type Fingerprint, fingerprint } from './fingerprint.ts';
export type { Changes } from './grouping.ts';

export interface DocumentControllerOptions {
  /** Distinct texts of a site from which on a block in them is the site's template. */
  readonly templateTexts: number;
  /** Texts within the simhash distance that are compared, the nearest first. */
  readonly maxCandidates: number;
  /** Rows of each table held in memory besides those not yet flushed; a text takes up to 3 kB. */
  readonly cacheRows: number;
}

/** A fetched page as the document controller is asked about it. */
export interface Candidate {
  /** Id of its URL. */
  readonly id: number;
  readonly key: string;
  readonly url: string;
  /** Key (or URL) of the canonical page it declares. */
  readonly canonical: string | undefined;
  /** What counts as one site for templates and thresholds: the host key. */
  readonly site: string;
}

export interface Admission extends Changes {
  /** new: to be judged. exact, near: a copy of `of`, not to be judged. garbage-copy: takes the verdict of `of`. */
  readonly relation: 'new' | 'exact' | 'near' | 'garbage-copy';
  /** Page id of the representative, or of the page judged garbage. */
  readonly of: number | undefined;
}

/**
 * Same or nearly the same as a page held. Synchronous; answers include what is not yet flushed. The result depends on
 * the set of pages, never on their order: see {@link Grouping}. A page whose place changes later is named in the answer
 * of the call that changes it.
 */
export class DocumentController {
  readonly #database: Database;
  readonly #store: TextStore;
  readonly #index: CandidateIndex;
  readonly #templates: SiteTemplates;
  readonly #grouping: Grouping;
  #flushes: number;

  constructor(database: Database, options: DocumentControllerOptions) {
    database.migrate('document-controller', CONTROLLER_STEPS);
    this.#database = database;
    this.#flushes = this.#storedFlushes();
    this.#store = new TextStore(database, options.cacheRows);
    this.#index = new CandidateIndex(database);
    this.#templates = new SiteTemplates(database, {
      minTexts: options.templateTexts,
      cacheRows: options.cacheRows * 4,
    });
    this.#grouping = new Grouping({
      store: this.#store,
      index: this.#index,
      templates: this.#templates,
      maxCandidates: options.maxCandidates,
    });
    database.onRollback(() => this.#rolledBack());
  }

  /**
   * Takes a page in, or again with new content. `judgedBy` names model version and level as the caller would judge now:
   * a verdict of garbage passes to copies only under the same.
   */
  admit(candidate: Candidate, print: Fingerprint, judgedBy: string): Admission {
    const changed = new Set<number>();
    const member = { id: candidate.id, site: candidate.site, rank: rankOf(candidate) };
    const before = this.#store.member(candidate.id);
    const known = this.#store.textByHash(print.textHash);
    const isSame =
      known !== undefined && before?.text === known.id && before.rank === member.rank && before.site === member.site;
    if (before !== undefined && !isSame) this.#detach(before, changed);
    // Detaching may have removed the text, when this page was its only one.
    const text = this.#store.textByHash(print.textHash) ?? newText(this.#store.newId(), print, member);
    if (!isSame) this.#attach({ ...member, text: text.id }, text, changed);
    this.#inheritVerdict(text.id, judgedBy, changed);
    this.#grouping.regroup(changed);
    const changes = this.#grouping.takeChanges();
    const others = (ids: readonly number[]) => ids.filter((id) => id !== candidate.id);
    return {
      ...this.#placeOf(candidate.id),
      replaced: others(changes.replaced),
      restored: others(changes.restored),
      condemned: others(changes.condemned),
    };
  }

  /** The page was judged garbage: so are its copies that were never judged themselves. */
  rememberGarbage(id: number, judgedBy: string): Changes {
    const text = this.#textOf(id);
    if (text === undefined) return NO_CHANGES;
    this.#grouping.set({ ...text, status: 'garbage', of: undefined, judgedBy, kept: false });
    const copies = new Set(this.#store.copiesOf(text.id));
    for (const copy of this.#grouping.nearOf(text, 'duplicate')) copies.add(copy.id);
    const changed = new Set<number>();
    for (const copyId of copies) {
      const copy = this.#store.text(copyId);
      if (copy === undefined) continue;
      if (copy.kept) changed.add(copyId);
      else this.#grouping.condemn(copy, text.id);
    }
    this.#grouping.regroup(changed);
    const changes = this.#grouping.takeChanges();
    const ownCopies = this.#store.membersOf(text.id).filter((page) => page !== id);
    return {
      replaced: changes.replaced.filter((page) => page !== id && !ownCopies.includes(page)),
      restored: changes.restored,
      condemned: [...changes.condemned, ...ownCopies],
    };
  }

  /** The page was judged worth keeping: it will not be condemned for being a copy of something judged garbage later. */
  rememberKept(id: number, judgedBy: string): Changes {
    const text = this.#textOf(id);
    if (text === undefined) return NO_CHANGES;
    const changed = new Set<number>();
    if (text.status === 'garbage') this.#detachOthers(text, id, changed);
    this.#acquit(this.#textOf(id) ?? text, changed);
    this.#grouping.set({ ...(this.#textOf(id) ?? text), judgedBy, kept: true });
    this.#grouping.regroup(changed);
    return this.#grouping.takeChanges();
  }

  /** Pages of the same text that were judged garbage stay so, and must not stand for the one that is kept. */
  #detachOthers(text: Text, id: number, changed: Set<number>): void {
    for (const other of this.#store.membersOf(text.id)) {
      const member = other === id ? undefined : this.#store.member(other);
      if (member !== undefined) this.#detach(member, changed);
    }
  }

  /** Takes back a verdict of garbage: the page and what inherited from it are grouped anew. */
  forgive(id: number): Changes {
    const text = this.#textOf(id);
    if (text === undefined) return NO_CHANGES;
    const changed = new Set<number>();
    this.#acquit(text, changed);
    this.#grouping.regroup(changed);
    return this.#grouping.takeChanges();
  }

  /** Forgets pages. */
  remove(ids: readonly number[]): Changes {
    const changed = new Set<number>();
    for (const id of ids) {
      const member = this.#store.member(id);
      if (member !== undefined) this.#detach(member, changed);
    }
    this.#grouping.regroup(changed);
    const changes = this.#grouping.takeChanges();
    const gone = new Set(ids);
    return { ...changes, replaced: changes.replaced.filter((id) => !gone.has(id)) };
  }

  /** Where a page stands; undefined when it was never admitted. */
  placeOf(id: number): Pick<Admission, 'relation' | 'of'> | undefined {
    return this.#store.member(id) === undefined ? undefined : this.#placeOf(id);
  }

  isTemplate(site: string, block: number): boolean {
    return this.#templates.isTemplate(site, block);
  }

  /** Writes what changed; to be called inside the caller's transaction, together with the rows of the pages. */
  flush(): void {
    this.#database.run('UPDATE doc_flush SET count = ?', ++this.#flushes);
    this.#store.flush();
    this.#index.flush();
    this.#templates.flush();
  }

  /** Takes rows flushed last as unwritten again, if it was their transaction that was rolled back. */
  #rolledBack(): void {
    const stored = this.#storedFlushes();
    if (stored === this.#flushes) return;
    this.#flushes = stored;
    this.#store.rolledBack();
    this.#index.rolledBack();
    this.#templates.rolledBack();
  }

  #storedFlushes(): number {
    return this.#database.get<{ count: number }>('SELECT count FROM doc_flush')?.count ?? 0;
  }

  #textOf(page: number): Text | undefined {
    const member = this.#store.member(page);
    return member === undefined ? undefined : this.#store.text(member.text);
  }

  #placeOf(page: number): Pick<Admission, 'relation' | 'of'> {
    const text = this.#textOf(page);
    const of = text?.of === undefined ? undefined : this.#store.text(text.of);
    switch (text?.status) {
      case 'garbage':
      case 'garbage-copy':
        return { relation: 'garbage-copy', of: of?.best ?? text.best };
      case 'duplicate':
        return { relation: text.best === page ? 'near' : 'exact', of: of?.best };
      default:
        return text === undefined || text.best === page
          ? { relation: 'new', of: undefined }
          : { relation: 'exact', of: text.best };
    }
  }

  #attach(member: Member, text: Text, changed: Set<number>): void {
    if (isComparable(text) && !this.#store.hasMemberOn(text.id, member.site))
      for (const id of this.#templates.add(member.site, text.id, text.blocks)) changed.add(id);
    this.#store.setMember(member);
    if (this.#store.text(text.id) !== undefined && member.rank >= text.rank) return;
    this.#grouping.set({ ...text, best: member.id, rank: member.rank, site: member.site });
    changed.add(text.id);
  }

  #detach(member: Member, changed: Set<number>): void {
    const text = this.#store.text(member.text);
    this.#store.deleteMember(member.id);
    if (text === undefined) return;
    if (isComparable(text) && !this.#store.hasMemberOn(text.id, member.site))
      this.#templates.remove(member.site, text.id, text.blocks);
    const best = this.#store.bestOf(text.id);
    if (best !== undefined) {
      if (best.id === text.best && best.rank === text.rank) return;
      this.#grouping.set({ ...text, best: best.id, rank: best.rank, site: best.site });
      changed.add(text.id);
      return;
    }
    if (text.status === 'garbage') this.#acquit(text, changed);
    for (const copy of this.#store.copiesOf(text.id)) changed.add(copy);
    this.#grouping.delete(text);
    changed.delete(text.id);
  }

  /** A text that is, or is near, one judged garbage under the same model and level takes that verdict. */
  #inheritVerdict(id: number, judgedBy: string, changed: Set<number>): void {
    const text = this.#store.text(id);
    if (text === undefined || text.kept) return;
    const verdictOf = text.status === 'garbage-copy' && text.of !== undefined ? this.#store.text(text.of) : text;
    if (text.status === 'garbage' || text.status === 'garbage-copy') {
      if (verdictOf?.judgedBy !== judgedBy) this.#acquit(text, changed);
      return;
    }
    const garbage = this.#grouping
      .nearOf(text, 'garbage')
      .filter((other) => other.judgedBy === judgedBy)
      .reduce<Text | undefined>((a, b) => (a === undefined || b.rank < a.rank ? b : a), undefined);
    if (garbage === undefined) return;
    const copies = this.#store.copiesOf(id);
    this.#grouping.condemn(text, garbage.id);
    for (const copy of copies) changed.add(copy);
  }

  #acquit(text: Text, changed: Set<number>): void {
    const inherited = text.status === 'garbage' ? this.#store.copiesOf(text.id) : [];
    for (const id of [text.id, ...inherited]) {
      const one = this.#store.text(id);
      if (one === undefined || (one.status !== 'garbage' && one.status !== 'garbage-copy')) continue;
      this.#grouping.set({ ...one, status: 'duplicate', of: undefined, judgedBy: undefined });
      changed.add(id);
    }
  }
}

const NO_CHANGES: Changes = { replaced: [], restored: [], condemned: [] };

function newText(id: number, print: Fingerprint, member: Omit<Member, 'text'>): Text {
  const { bodyHash: _, textHash: hash, ...rest } = print;
  return {
    ...rest,
    id,
    hash,
    status: 'duplicate',
    of: undefined,
    judgedBy: undefined,
    kept: false,
    best: member.id,
    rank: member.rank,
    site: member.site,
  };
}

/** Sorts by: declares itself canonical, declares nothing, declares another; https; shortest key; smallest key. */
function rankOf({ key, url, canonical }: Candidate): string {
  const canonicalRank = canonical === undefined ? 1 : canonical === key || canonical === url ? 0 : 2;
  return `${canonicalRank}${url.startsWith('https:') ? 0 : 1}${String(key.length).padStart(6, '0')}${key}`;
}
