import type { HeadLink, Image, Link, Meta, Script } from '../model/page.ts';
import { BLOCK_CODE, BLOCK_HEADING, BLOCK_HIDDEN, BLOCK_NOSCRIPT } from '../model/page.ts';
import { isTiny } from './attributes.ts';
import { ControlReader } from './control-reader.ts';
import type { PageOptions } from './page-options.ts';
import { PageScanner, type ScanListener } from './page-scanner.ts';
import * as S from './states.ts';
import { tagNumber } from './tags.ts';
import { collapse, TextRun, wholeEnd } from './text-run.ts';

/** UTF-16 units kept of a link's text. */
const MAX_LINK_TEXT = 2000;
/** UTF-16 units kept of an inline image's data: URL. */
const MAX_DATA_URL = 64;

export interface DraftBlock {
  text: string;
  path: number;
  tag: string;
  flags: number;
  headingLevel: number;
  linkLength: number;
  strongLength: number;
}

export interface DraftLink {
  link: { -readonly [K in keyof Link]: Link[K] };
  /** Number of the element it stands in. */
  parent: number;
}

const A = tagNumber('a');
const AREA = tagNumber('area');
const BASE = tagNumber('base');
const BR = tagNumber('br');
const FRAME = tagNumber('frame');
const HTML = tagNumber('html');
const IFRAME = tagNumber('iframe');
const IMG = tagNumber('img');
const LINK = tagNumber('link');
const META = tagNumber('meta');
const SCRIPT = tagNumber('script');
const STYLE = tagNumber('style');
const TITLE = tagNumber('title');
const WBR = tagNumber('wbr');

const META_NAMES = ['name', 'property', 'http-equiv', 'itemprop'] as const;
/** Links whose elements the scanner does not number. */
const VOID_LINKS: Readonly<Record<Link['element'], number | undefined>> = {
  a: undefined,
  iframe: undefined,
  area: AREA,
  frame: FRAME,
  link: LINK,
};

const LINKING_RELS: ReadonlySet<string> = new Set(['next', 'prev', 'alternate']);

/** Everything of a page that stands in its order: blocks, links, forms, head. Rules over the whole come afterwards. */
export class PageContent implements ScanListener {
  readonly scanner: PageScanner;
  readonly forms: ControlReader;
  readonly blocks: DraftBlock[] = [];
  /** Per block: the element that holds it. */
  readonly blockElements: number[] = [];
  readonly links: DraftLink[] = [];
  readonly images: Image[] = [];
  readonly scripts: Script[] = [];
  readonly styles: string[] = [];
  readonly jsonLd: string[] = [];
  readonly metas: Meta[] = [];
  readonly headLinks: HeadLink[] = [];
  /** Metas inside noscript: browsers that run scripts do not act on them. */
  readonly inertMetas = new Set<Meta>();
  readonly problems = new Set<string>();
  title: string | undefined;
  htmlLanguage: string | undefined;
  baseHref: string | undefined;
  tinyFrames = 0;
  iframes = 0;
  inlineScriptLength = 0;
  styleLength = 0;
  /** Style rules that hide something came after text that they may apply to. */
  lateStyles = false;
  private readonly options: PageOptions;
  private readonly seen = new TextRun();
  private readonly unseen = new TextRun();
  private seenStart = { element: 0, state: 0 };
  private unseenStart = { element: 0, state: 0 };
  /** Links of the current block, waiting for its number. */
  private waiting: DraftLink[] = [];
  private openLink: DraftLink | undefined;
  private openLinkAlt = '';
  private readonly linkRun = new TextRun();
  private script = { src: undefined as string | undefined, type: '' };

  constructor(source: string, options: PageOptions) {
    this.options = options;
    this.scanner = new PageScanner(source, this, { elements: options.maxElements, paths: options.maxTagPaths });
    this.forms = new ControlReader(this.scanner.attributes, {
      forms: options.maxForms,
      controls: options.maxControls,
      options: options.maxOptions,
    });
  }

  read(): void {
    this.scanner.run();
    this.boundary();
    if (this.forms.collector.full) this.problems.add('too-many-form-controls');
    if (this.scanner.table.full) this.problems.add('too-many-elements');
  }

  opened(tag: number, element: number, state: number): void {
    if ((state & S.IN_TEMPLATE) !== 0) return;
    switch (tag) {
      case HTML:
        this.htmlLanguage ??= this.scanner.attributes.get('lang') ?? this.scanner.attributes.get('xml:lang');
        return;
      case A:
        this.openAnchor(element, state);
        return;
      case IMG:
        this.addImage();
        return;
      case BR:
        this.seen.space();
        this.unseen.space();
        this.linkRun.space();
        return;
      case META:
        this.addMeta(state);
        return;
      case LINK:
        this.addLinkElement(element, state);
        return;
      case SCRIPT:
        this.script = {
          src: this.scanner.attributes.get('src'),
          type: this.scanner.attributes.text('type').trim().toLowerCase(),
        };
        return;
      case IFRAME:
      case FRAME:
        this.addFrame(tag === IFRAME ? 'iframe' : 'frame', element, state);
        return;
      case AREA:
        this.addPlainLink('area', this.scanner.attributes.get('href'), {
          element,
          state,
          text: this.scanner.attributes.text('alt'),
        });
        return;
      case BASE:
        this.baseHref ??= this.scanner.attributes.get('href');
        return;
      case WBR:
        return;
      default:
        this.forms.opened(tag, element, state);
    }
  }

  closed(tag: number, _element: number, state: number): void {
    if ((state & S.IN_TEMPLATE) !== 0) return;
    if (tag === A) this.closeAnchor();
    else this.forms.closed(tag);
  }

  formEnded(): void {
    this.forms.collector.closeForm();
  }

  rawText(tag: number, text: string, state: number): void {
    if ((state & S.IN_TEMPLATE) !== 0) return;
    if (tag === TITLE) this.title ??= collapse(text);
    else if (tag === SCRIPT) this.addScript(text);
    else if (tag === STYLE) this.addStyle(text, state);
    else this.forms.rawText(tag, text);
  }

  text(source: string, start: number, end: number): void {
    const { open } = this.scanner;
    const state = open.state;
    if (this.forms.collector.inSelect) {
      this.forms.collector.optionText(source, start, end);
      return;
    }
    const hidden = (state & S.UNSEEN) !== 0;
    const run = hidden ? this.unseen : this.seen;
    const wasEmpty = run.empty;
    const added = run.append(source, start, end);
    if (added > 0) {
      if (wasEmpty) {
        const begin = { element: open.blocks[open.top] ?? 0, state };
        if (hidden) this.unseenStart = begin;
        else this.seenStart = begin;
      }
      if ((state & S.IN_LINK) !== 0) {
        run.linkLength += added;
        this.addLinkText(hidden, [source, start, end]);
      }
      if ((state & S.IN_STRONG) !== 0) run.strongLength += added;
    }
    if (!hidden) this.forms.collector.text(source, start, end, state & S.IN_LINK);
  }

  private addLinkText(hidden: boolean, [source, start, end]: [string, number, number]): void {
    if (this.openLink === undefined || this.openLink.link.hidden !== hidden) return;
    const room = MAX_LINK_TEXT - this.linkRun.text.length;
    if (room > 0) this.linkRun.append(source, start, wholeEnd(source, Math.min(end, start + room)));
  }

  boundary(): void {
    this.forms.collector.blockBoundary();
    const { openLink } = this;
    if (openLink !== undefined) this.linkRun.space();
    const block = this.flush(this.seen, this.seenStart);
    const hidden = this.flush(this.unseen, this.unseenStart);
    if (this.waiting.length > 0) {
      for (const draft of this.waiting) draft.link.block = draft.link.hidden && hidden >= 0 ? hidden : block;
      this.waiting = [];
    }
    if (openLink !== undefined && openLink.link.block < 0) this.waiting.push(openLink);
  }

  /** Ends a run of text; returns the number of its block or -1. */
  private flush(run: TextRun, start: { element: number; state: number }): number {
    if (run.empty) return -1;
    const { text, linkLength, strongLength } = run.take();
    if (text === '') return -1;
    if (this.blocks.length >= this.options.maxBlocks) {
      this.problems.add('too-many-blocks');
      return -1;
    }
    const { table, nameOf } = this.scanner;
    const { element, state } = start;
    const headingLevel = (state & S.HEADING_MASK) >> S.HEADING_SHIFT;
    let flags = 0;
    if (headingLevel > 0) flags |= BLOCK_HEADING;
    if ((state & S.UNSEEN) !== 0) flags |= BLOCK_HIDDEN;
    if ((state & S.IN_NOSCRIPT) !== 0) flags |= BLOCK_NOSCRIPT;
    if ((state & S.IN_CODE) !== 0) flags |= BLOCK_CODE;
    const tag = nameOf(table.tag[element] ?? 0);
    this.blocks.push({ text, path: table.path(element, nameOf), tag, flags, headingLevel, linkLength, strongLength });
    this.blockElements.push(element);
    return this.blocks.length - 1;
  }

  private openAnchor(element: number, state: number): void {
    const href = this.scanner.attributes.get('href');
    if (href === undefined) return;
    this.openLink = this.addLink('a', href, { element, state, text: '' });
    this.openLinkAlt = '';
    this.linkRun.take();
  }

  private closeAnchor(): void {
    const draft = this.openLink;
    if (draft === undefined) return;
    this.openLink = undefined;
    const { text } = this.linkRun.take();
    draft.link.text = text === '' ? collapse(this.openLinkAlt) : text;
    this.forms.collector.linkText(draft.link.text);
  }

  private addLink(
    element: Link['element'],
    href: string,
    at: { element: number; state: number; text: string },
  ): DraftLink | undefined {
    if (this.links.length >= this.options.maxLinks) {
      this.problems.add('too-many-links');
      return undefined;
    }
    const { attributes, table, nameOf } = this.scanner;
    const number = VOID_LINKS[element];
    const own =
      number === undefined
        ? at.element
        : table.add(at.element, number, attributes.text('class'), attributes.text('id'));
    const draft: DraftLink = {
      link: {
        href,
        element,
        text: at.text,
        rel: tokens(attributes.text('rel')),
        title: attributes.text('title'),
        position: 'other',
        block: -1,
        path: table.path(own, nameOf),
        hidden: (at.state & S.UNSEEN) !== 0,
      },
      parent: own,
    };
    this.links.push(draft);
    this.waiting.push(draft);
    return draft;
  }

  private addPlainLink(
    element: Link['element'],
    href: string | undefined,
    at: { element: number; state: number; text: string },
  ): void {
    if (href !== undefined) this.addLink(element, href, at);
  }

  private addFrame(element: 'iframe' | 'frame', parent: number, state: number): void {
    const { attributes } = this.scanner;
    if (element === 'iframe') this.iframes++;
    if (isTiny(attributes.get('width'), attributes.get('height'))) this.tinyFrames++;
    this.addPlainLink(element, attributes.get('src'), { element: parent, state, text: attributes.text('title') });
  }

  private addImage(): void {
    const { attributes } = this.scanner;
    const src = attributes.get('src') ?? attributes.text('data-src');
    const alt = attributes.get('alt');
    if (this.openLink !== undefined && alt !== undefined && this.openLinkAlt.length < MAX_LINK_TEXT) {
      this.openLinkAlt += ' ' + alt.slice(0, MAX_LINK_TEXT);
    }
    const width = attributes.text('width');
    const height = attributes.text('height');
    if (isTiny(width, height)) this.tinyFrames++;
    const kept = src.startsWith('data:') ? src.slice(0, MAX_DATA_URL) : src;
    this.keep(
      this.images,
      { src: kept, alt, width, height },
      { max: this.options.maxImages, problem: 'too-many-images' },
    );
  }

  private addMeta(state: number): void {
    const { attributes } = this.scanner;
    const charset = attributes.get('charset');
    if (charset !== undefined) this.keepMeta({ attribute: 'charset', name: 'charset', content: charset }, state);
    for (const attribute of META_NAMES) {
      const name = attributes.get(attribute);
      const content = attributes.get('content');
      if (name === undefined || content === undefined) continue;
      this.keepMeta({ attribute, name: name.trim().toLowerCase(), content }, state);
    }
  }

  private keepMeta(meta: Meta, state: number): void {
    this.keep(this.metas, meta, { max: this.options.maxHeadItems, problem: 'too-many-metas' });
    if ((state & S.IN_NOSCRIPT) !== 0) this.inertMetas.add(meta);
  }

  private addLinkElement(element: number, state: number): void {
    const { attributes } = this.scanner;
    const href = attributes.get('href');
    if (href === undefined) return;
    const rel = tokens(attributes.text('rel'));
    const link = {
      rel,
      href,
      type: attributes.text('type'),
      title: attributes.text('title'),
      hreflang: attributes.text('hreflang'),
    };
    this.keep(this.headLinks, link, { max: this.options.maxHeadItems, problem: 'too-many-link-elements' });
    if (!rel.some((token) => LINKING_RELS.has(token)) || rel.includes('stylesheet')) return;
    this.addPlainLink('link', href, { element, state, text: '' });
  }

  private addScript(text: string): void {
    const { src, type } = this.script;
    if (type === 'application/ld+json') {
      this.keep(this.jsonLd, text, { max: this.options.maxHeadItems, problem: 'too-many-scripts' });
    }
    if (src === undefined) this.inlineScriptLength += text.length;
    const script = { src, type, text: src === undefined ? text : '' };
    this.keep(this.scripts, script, { max: this.options.maxHeadItems, problem: 'too-many-scripts' });
  }

  private addStyle(text: string, state: number): void {
    this.styleLength += text.length;
    this.keep(this.styles, text, { max: this.options.maxHeadItems, problem: 'too-many-styles' });
    if ((state & S.IN_NOSCRIPT) !== 0 || (state & S.IN_FOREIGN) !== 0) return;
    this.scanner.styles.addSheet(text);
    if (this.blocks.length > 0 && this.scanner.styles.active) this.lateStyles = true;
  }

  private keep<T>(list: T[], item: T, bound: { max: number; problem: string }): void {
    if (list.length < bound.max) list.push(item);
    else this.problems.add(bound.problem);
  }
}

function tokens(text: string): readonly string[] {
  const trimmed = text.trim().toLowerCase();
  return trimmed === '' ? NO_TOKENS : trimmed.split(/[\t\n\f\r ]+/).slice(0, 20);
}

const NO_TOKENS: readonly string[] = [];
