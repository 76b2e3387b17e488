import type { RobotsDecision } from '../../model/robots.ts';
import { compilePattern, matches, normalizePath, type Pattern } from './patterns.ts';

/** RFC 9309 §2.5 asks for at least 500 KiB; what follows is not read. */
export const MAX_ROBOTS_BYTES = 500 * 1024;

/** Octets of a line that are read: Google's eight times the longest URL of common browsers. */
const MAX_LINE = 2083 * 8;

/** Something a site owner should mend. `line` counts from 1; 0 = the whole file. */
export interface RobotsLint {
  readonly line: number;
  readonly problem:
    | 'typo'
    | 'no-colon'
    | 'unknown-field'
    | 'rule-outside-group'
    | 'path-without-slash'
    | 'empty-user-agent'
    | 'bad-crawl-delay'
    | 'html'
    | 'too-long';
  readonly text: string;
}

interface Group {
  /** Tokens in lower case; '*' for everybody. */
  readonly agents: Set<string>;
  /** Tokens whose line goes on with bare words; also in `agents` when another line has the token alone. */
  readonly wordyAgents: Set<string>;
  readonly rules: Pattern[];
  /** Seconds by agent: a delay counts for the agents named before it. */
  readonly delays: Map<string, number>;
}

interface AgentRules {
  readonly rules: readonly Pattern[];
  readonly crawlDelay: number | null;
  readonly named: boolean;
}

/**
 * Reads robots.txt as RFC 9309 says and as Google's parser does where the RFC leaves room (typos, missing colons,
 * rules for `/index.html`). Never fails: what cannot be read is a lint.
 */
export function parseRobots(input: Uint8Array | string): RobotsFile {
  const bytes = typeof input === 'string' ? Buffer.from(input, 'utf8') : input;
  return new RobotsParser(bytes).parse();
}

/** One robots.txt, read. */
export class RobotsFile {
  /** As written, in file order, each once. */
  readonly sitemaps: readonly string[];
  readonly lints: readonly RobotsLint[];
  /** The bytes were an HTML page (a bot wall, an error page): there are no rules in it. */
  readonly isHtml: boolean;
  readonly #groups: readonly Group[];
  readonly #byAgent = new Map<string, AgentRules>();

  constructor(groups: readonly Group[], sitemaps: readonly string[], lints: readonly RobotsLint[]) {
    this.#groups = groups;
    this.sitemaps = sitemaps;
    this.lints = lints;
    this.isHtml = lints.some((lint) => lint.problem === 'html');
  }

  /**
   * May `agent` fetch this path or absolute URL? The longest matching rule wins, Allow on a tie; groups that name the
   * agent are merged, and those for `*` count only when none does (RFC 9309 §2.2.1, §2.2.2).
   */
  decide(agent: string, pathOrUrl: string): RobotsDecision {
    const { rules, crawlDelay, named } = this.#rulesFor(agent);
    const path = normalizePath(pathOrUrl);
    if (path.decoded === '/robots.txt') return { allowed: true, crawlDelay, because: '/robots.txt is always allowed' };
    for (const rule of rules) {
      if (matches(rule, path)) return { allowed: rule.allow, crawlDelay, because: rule.text };
    }
    const because = this.isHtml ? 'robots.txt is an HTML page' : named ? 'no rule matches' : 'no group names the agent';
    return { allowed: true, crawlDelay, because };
  }

  #rulesFor(agent: string): AgentRules {
    const known = this.#byAgent.get(agent);
    if (known !== undefined) return known;
    const token = productToken(agent);
    // Google's parser cuts the line 'Foo Bar' to Foo and finds it for Foo, but not for a robot that asks as 'Foo Bar'.
    const isWordy = BARE_WORDS.test(agent.trim());
    const own = this.#groups.filter(
      ({ agents, wordyAgents }) => agents.has(token) || (!isWordy && wordyAgents.has(token)),
    );
    const name = own.length > 0 ? token : '*';
    const groups = own.length > 0 ? own : this.#groups.filter((group) => group.agents.has('*'));
    const rules = groups
      .flatMap((group) => group.rules)
      .sort((a, b) => b.length - a.length || Number(b.allow) - Number(a.allow));
    const delays = groups.map((group) => group.delays.get(name)).filter((delay) => delay !== undefined);
    const result = { rules, crawlDelay: delays.length === 0 ? null : Math.max(...delays), named: groups.length > 0 };
    if (this.#byAgent.size >= 16) this.#byAgent.clear();
    this.#byAgent.set(agent, result);
    return result;
  }
}

/** The product token of an agent string, lower case: cut at the first character outside [A-Za-z_-]. */
function productToken(agent: string): string {
  return (/^[A-Za-z_-]*/.exec(agent.trim())?.[0] ?? '').toLowerCase();
}

/** Words without a version ('Foo Bar'). */
const BARE_WORDS = /^[A-Za-z_-]+(?:\s+[A-Za-z_-]+)+$/;

type Field = 'user-agent' | 'allow' | 'disallow' | 'sitemap' | 'crawl-delay';

/** Spellings accepted by Google's parser (by their beginning), and those of Crawl-delay in the wild. */
const SPELLINGS: readonly (readonly [Field, readonly string[]])[] = [
  ['user-agent', ['user-agent', 'useragent', 'user agent']],
  ['disallow', ['disallow', 'dissallow', 'dissalow', 'disalow', 'diasllow', 'disallaw']],
  ['allow', ['allow']],
  ['sitemap', ['sitemap', 'site-map']],
  ['crawl-delay', ['crawl-delay', 'crawldelay', 'crawl delay']],
];

const HTML = /^[\s\ufeff]*<[a-z!?]/i;

class RobotsParser {
  readonly #bytes: Uint8Array;
  readonly #groups: Group[] = [];
  readonly #sitemaps = new Set<string>();
  readonly #lints: RobotsLint[] = [];
  #line = 0;
  /** The group that further lines belong to, and whether a rule has closed its list of agents. */
  #group: Group | undefined;
  #closed = false;
  /** Agents named since the last line of another field: those that a Crawl-delay speaks to. */
  #addressed: string[] = [];
  #addressing = false;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  parse(): RobotsFile {
    const text = this.#text();
    if (HTML.test(text.slice(0, 1024))) {
      this.#lints.push({ line: 0, problem: 'html', text: text.trimStart().slice(0, 80) });
    } else {
      for (const line of text.split(/\r\n|\n|\r/)) {
        this.#line++;
        this.#readLine(line.slice(0, MAX_LINE));
      }
    }
    return new RobotsFile(this.#groups, [...this.#sitemaps], this.#lints);
  }

  /** One character an octet, so that patterns count and escape octets; byte order marks are dropped. */
  #text(): string {
    let bytes = this.#bytes;
    if (bytes.length > MAX_ROBOTS_BYTES) {
      this.#lint('too-long', `${bytes.length} bytes`);
      const cut = Math.max(bytes.lastIndexOf(10, MAX_ROBOTS_BYTES - 1), bytes.lastIndexOf(13, MAX_ROBOTS_BYTES - 1));
      bytes = bytes.subarray(0, cut < 0 ? MAX_ROBOTS_BYTES : cut);
    }
    if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) bytes = bytes.subarray(3);
    const utf16 =
      bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : '';
    const octets = utf16 === '' ? bytes : Buffer.from(new TextDecoder(utf16).decode(bytes), 'utf8');
    return Buffer.from(octets.buffer, octets.byteOffset, octets.byteLength).toString('latin1');
  }

  #readLine(raw: string): void {
    const hash = raw.indexOf('#');
    const line = (hash < 0 ? raw : raw.slice(0, hash)).trim();
    if (line === '') return;
    const split = this.#split(line);
    const field = split === undefined ? undefined : this.#field(split.name, line);
    if (split === undefined || field === undefined) this.#lint('unknown-field', line);
    else if (field === 'user-agent') this.#readAgent(split.value, line);
    else if (field === 'sitemap') this.#readSitemap(split.value);
    else if (field === 'crawl-delay') this.#readDelay(split.value, line);
    else this.#readRule(field === 'allow', split.value, line);
  }

  /** `name: value`, or two words without a colon. */
  #split(line: string): { name: string; value: string } | undefined {
    const colon = line.indexOf(':');
    if (colon > 0) return { name: line.slice(0, colon).trim().toLowerCase(), value: line.slice(colon + 1).trim() };
    const words = colon < 0 ? line.split(/[ \t]+/) : [];
    const [name, value] = words;
    if (words.length !== 2 || name === undefined || value === undefined) return undefined;
    if (this.#field(name.toLowerCase(), '') !== undefined) this.#lint('no-colon', line);
    return { name: name.toLowerCase(), value };
  }

  #field(name: string, line: string): Field | undefined {
    for (const [field, spellings] of SPELLINGS) {
      if (!spellings.some((spelling) => name.startsWith(spelling))) continue;
      if (name !== field && line !== '') this.#lint('typo', line);
      return field;
    }
    return undefined;
  }

  #readAgent(value: string, line: string): void {
    if (this.#group === undefined || this.#closed) {
      this.#group = { agents: new Set(), wordyAgents: new Set(), rules: [], delays: new Map() };
      this.#groups.push(this.#group);
      this.#closed = false;
    }
    // Google: a `*` followed by white space and more is still everybody.
    const token = /^\*(?:\s|$)/.test(value) ? '*' : (/^[A-Za-z_-]*/.exec(value)?.[0] ?? '').toLowerCase();
    if (!this.#addressing) this.#addressed = [];
    this.#addressing = true;
    if (token === '') {
      this.#lint('empty-user-agent', line);
      return;
    }
    (BARE_WORDS.test(value) ? this.#group.wordyAgents : this.#group.agents).add(token);
    this.#addressed.push(token);
  }

  #readRule(allow: boolean, value: string, line: string): void {
    const group = this.#group;
    if (group === undefined) {
      this.#lint('rule-outside-group', line);
      return;
    }
    this.#closed = true;
    this.#addressing = false;
    if (value === '') return;
    if (!value.startsWith('/') && !value.startsWith('*')) {
      this.#lint('path-without-slash', line);
      return;
    }
    const text = `${allow ? 'Allow' : 'Disallow'}: ${utf8(value)}`;
    group.rules.push(compilePattern(allow, value, text));
    const index = allow ? value.lastIndexOf('/index.htm') : -1;
    // Google: allowing a directory's index page allows the directory itself.
    if (index >= 0 && index === value.lastIndexOf('/')) {
      group.rules.push(compilePattern(true, `${value.slice(0, index + 1)}$`, text));
    }
  }

  #readSitemap(value: string): void {
    if (value !== '') this.#sitemaps.add(utf8(value));
  }

  #readDelay(value: string, line: string): void {
    const group = this.#group;
    this.#addressing = false;
    const seconds = Number.parseFloat(value.replace(',', '.'));
    if (group === undefined) this.#lint('rule-outside-group', line);
    else if (!/^[\d.,]/.test(value) || !Number.isFinite(seconds)) this.#lint('bad-crawl-delay', line);
    else for (const agent of this.#addressed) group.delays.set(agent, Math.max(seconds, group.delays.get(agent) ?? 0));
  }

  #lint(problem: RobotsLint['problem'], text: string): void {
    if (this.#lints.length < 100) this.#lints.push({ line: this.#line, problem, text: utf8(text).slice(0, 200) });
  }
}

function utf8(latin1: string): string {
  return Buffer.from(latin1, 'latin1').toString('utf8');
}
