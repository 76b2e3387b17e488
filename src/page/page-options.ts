/** Bounds that keep a hostile page's cost in check; what is beyond them is left out and listed in the page's problems. */
export interface PageOptions {
  /** Product token that meta elements and X-Robots-Tag headers may address besides `robots`. */
  readonly robotsToken: string;
  /** Elements told apart; further ones count as their parents. */
  readonly maxElements: number;
  readonly maxTagPaths: number;
  readonly maxBlocks: number;
  readonly maxLinks: number;
  readonly maxImages: number;
  readonly maxForms: number;
  /** Controls of all forms together. */
  readonly maxControls: number;
  /** Options of all selects together. */
  readonly maxOptions: number;
  /** Metas, link elements, scripts, styles and JSON-LD blocks, each. */
  readonly maxHeadItems: number;
}

/** Real pages stay below all of these by a factor of ten. */
export const PAGE_OPTIONS: PageOptions = {
  robotsToken: 'winnow',
  maxElements: 200_000,
  maxTagPaths: 20_000,
  maxBlocks: 50_000,
  maxLinks: 20_000,
  maxImages: 5_000,
  maxForms: 200,
  maxControls: 5_000,
  maxOptions: 20_000,
  maxHeadItems: 2_000,
};
