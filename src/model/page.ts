import type { FormType } from './lists.ts';

/** Bits of {@link TextBlock.flags}. */
export const BLOCK_HIDDEN = 1;
export const BLOCK_MAIN = 2;
export const BLOCK_HEADING = 4;
/** Inside nav, header, footer, aside, form, button or an element with such an ARIA role. */
export const BLOCK_CHROME = 8;
export const BLOCK_CODE = 16;
export const BLOCK_NOSCRIPT = 32;

/**
 * A run of text between two block-level boundaries, white space collapsed, never empty.
 * `path` lists the open elements from the root, each `tag` or `tag.class1.class2` or `tag#id`.
 */
export interface TextBlock {
  readonly text: string;
  /** Index into {@link Page.tagPaths}. */
  readonly path: number;
  /** The block-level element that holds the text: 'p', 'h1', 'td', … */
  readonly tag: string;
  readonly flags: number;
  /** 1–6 for headings, else 0. */
  readonly headingLevel: number;
  /** UTF-16 units of `text` that stand inside `<a href>`. */
  readonly linkLength: number;
  /** UTF-16 units of `text` inside strong, b, em, i or mark. */
  readonly strongLength: number;
}

export type LinkPosition = 'main' | 'nav' | 'header' | 'footer' | 'aside' | 'form' | 'other';

/** `<a href>`, `<area href>`, `<iframe src>`, `<frame src>` and `<link rel=next|prev|alternate>` in document order. */
export interface Link {
  /** The attribute as written, entities decoded. Resolve with {@link Page.baseUrl}. */
  readonly href: string;
  readonly element: 'a' | 'area' | 'iframe' | 'frame' | 'link';
  /** Visible text, or the alt text of the image inside; white space collapsed. */
  readonly text: string;
  /** Tokens of `rel`, lower case. */
  readonly rel: readonly string[];
  readonly title: string;
  readonly position: LinkPosition;
  /** Index into {@link Page.blocks} of the block that holds it, or -1. */
  readonly block: number;
  /** Index into {@link Page.tagPaths}: root to the link's element. */
  readonly path: number;
  readonly hidden: boolean;
}

export interface Control {
  /** 'text', 'search', 'email', 'password', 'hidden', 'checkbox', 'radio', 'submit', 'image', 'button', 'reset', 'file', 'select', 'textarea', … */
  readonly type: string;
  readonly name: string;
  readonly id: string;
  readonly value: string;
  readonly checked: boolean;
  readonly disabled: boolean;
  readonly required: boolean;
  readonly multiple: boolean;
  readonly placeholder: string;
  readonly title: string;
  readonly className: string;
  /** Text of its `<label>`, `aria-label`, or of the button. */
  readonly label: string;
  readonly options: readonly {
    readonly value: string;
    readonly text: string;
    readonly selected: boolean;
    readonly disabled: boolean;
  }[];
}

export interface Form {
  /** As written; empty string or missing means the page's own URL. */
  readonly action: string | undefined;
  readonly method: 'get' | 'post' | 'dialog';
  /** False when the attribute was missing. */
  readonly methodGiven: boolean;
  readonly enctype: string;
  readonly acceptCharset: string;
  readonly target: string;
  readonly id: string;
  readonly name: string;
  readonly className: string;
  readonly role: string;
  readonly controls: readonly Control[];
  /** Visible text inside the form, links' text apart. */
  readonly text: string;
  readonly linkTexts: readonly string[];
  readonly position: LinkPosition;
  /** Filled by search-interface detection. */
  readonly type?: FormType;
}

export interface Image {
  readonly src: string;
  /** undefined = no alt attribute. */
  readonly alt: string | undefined;
  readonly width: string;
  readonly height: string;
}

export interface Script {
  readonly src: string | undefined;
  readonly type: string;
  /** Inline source, empty for external scripts. */
  readonly text: string;
}

export interface Meta {
  /** Lower case; which attribute named it. */
  readonly attribute: 'name' | 'property' | 'http-equiv' | 'charset' | 'itemprop';
  readonly name: string;
  readonly content: string;
}

/** `<link>` elements in the head or body, rel tokens lower case. */
export interface HeadLink {
  readonly rel: readonly string[];
  readonly href: string;
  readonly type: string;
  readonly title: string;
  readonly hreflang: string;
}

/** Meta robots and X-Robots-Tag merged: the most restrictive wins. */
export interface RobotsDirectives {
  readonly index: boolean;
  readonly follow: boolean;
  readonly archive: boolean;
  readonly snippet: boolean;
  /** Milliseconds since 1970 from `unavailable_after`, if any. */
  readonly unavailableAfter?: number;
  /** From `max-snippet:n`. */
  readonly maxSnippet?: number;
}

export interface PageRedirect {
  readonly by: 'http' | 'meta' | 'script';
  readonly target: string;
  readonly seconds: number;
}

export interface PageCounts {
  readonly bytes: number;
  /** Start tags. */
  readonly tags: number;
  readonly maxDepth: number;
  readonly comments: number;
  readonly commentLength: number;
  readonly iframes: number;
  /** Frames and images of 1 × 1 or 0 × 0 pixels. */
  readonly tinyFrames: number;
  readonly inlineScriptLength: number;
  readonly styleLength: number;
  /** UTF-16 units of visible and of hidden text. */
  readonly visibleLength: number;
  readonly hiddenLength: number;
  /** Start tags by name, lower case. */
  readonly byTag: Readonly<Record<string, number>>;
}

/** One page as the page reader leaves it: plain data, nothing resolved against the network. */
export interface Page {
  readonly url: string | undefined;
  /** Document URL with the first `<base href>` applied. undefined when the URL is unknown. */
  readonly baseUrl: string | undefined;
  readonly charset: string;
  readonly title: string;
  /** ISO 639 primary subtag or 'und', from the text, the declared language as a hint. */
  readonly language: string;
  /** As declared by `<html lang>`, Content-Language or meta; primary subtag. */
  readonly declaredLanguage: string | undefined;
  readonly metas: readonly Meta[];
  readonly headLinks: readonly HeadLink[];
  readonly tagPaths: readonly string[];
  readonly blocks: readonly TextBlock[];
  /** Texts of the blocks flagged BLOCK_MAIN, one a line. */
  readonly mainText: string;
  readonly links: readonly Link[];
  readonly forms: readonly Form[];
  /** Text-like inputs that stand outside any form. */
  readonly looseControls: readonly Control[];
  readonly images: readonly Image[];
  readonly scripts: readonly Script[];
  /** Texts of inline `<style>` elements. */
  readonly styles: readonly string[];
  /** Parsed-as-text JSON-LD blocks. */
  readonly jsonLd: readonly string[];
  /** Canonical as written in `<link rel=canonical>` or the Link header, resolved; the first one. */
  readonly canonical: string | undefined;
  readonly robots: RobotsDirectives;
  readonly redirect: PageRedirect | undefined;
  readonly counts: PageCounts;
  readonly problems: readonly string[];
}

/** What is known of a page besides its bytes; every field may be unknown. */
export interface PageContext {
  readonly url?: string | undefined;
  readonly status?: number | undefined;
  /** Lower-case names; several values of one name joined by ', ' except set-cookie. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Set when the server redirected to get here. */
  readonly redirectedFrom?: string | undefined;
  readonly redirects?: number | undefined;
  readonly truncated?: boolean | undefined;
}
