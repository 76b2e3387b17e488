/** Where the links of a page lead, as far as the garbage repository knows. */
export interface NeighbourCounts {
  /** Distinct addresses on other registrable domains that the page links to with credit. */
  readonly away: number;
  /** Those of them on domains condemned for spam. */
  readonly condemned: number;
  /** These domains. */
  readonly domains: number;
}

/** What a page shares with pages of other registrable domains that lean to spam; see `farm-memory.ts`. */
export interface FarmCounts {
  /** Other domains whose pages have its template and several of its sampled phrases, copies of the page apart. */
  readonly domains: number;
  /** Share of its sampled phrases that these pages have. */
  readonly phrases: number;
}

/** What is known of a page by the company it keeps on other sites; undefined = nothing is known. */
export interface PageCompany {
  readonly neighbours?: NeighbourCounts | undefined;
  readonly farm?: FarmCounts | undefined;
}
