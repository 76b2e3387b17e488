import type { GarbageAction, Level, Scope } from '../model/lists.ts';

/**
 * Every default of Winnow, with its unit and its reason. No other file holds a tunable number of this kind;
 * docs/configuration.md is generated from here.
 */
export const DEFAULTS = {
  crawl: {
    /** host | prefix | domain | any: how far from the seeds links are followed. One site is the common wish. */
    scope: 'host' as Scope,
    /** Links from a seed. Deep enough for any real site, an end for generated ones. */
    maxDepth: 50,
    /** Seconds between two requests to a host. The usual courtesy of crawlers without an agreement. */
    delaySeconds: 1,
    /** Seconds; a longer Crawl-delay in robots.txt is cut to this. */
    maxCrawlDelaySeconds: 60,
    /** Requests under way at once, over all hosts. */
    concurrency: 16,
    /** Requests under way at once to one network address: shared hosting feels every one of its names. */
    connectionsPerAddress: 8,
    /** off | fast | standard | thorough | auto. */
    level: 'auto' as Level,
    /** What happens to garbage on hosts found by links. */
    garbage: 'drop' as GarbageAction,
    /** Nothing is rendered unless asked: a browser costs a hundred times a request. */
    render: 'never' as 'never' | 'auto' | 'always',
    /** Names Winnow in requests and is the token looked up in robots.txt. */
    userAgentProduct: 'winnow',
    /** Whole User-Agent header; empty = product, version and contact. */
    userAgent: '',
    /** Mail address or URL of the operator: site owners must be able to reach a person. */
    contact: '',
    /** strict: rel=nofollow links are not followed. lenient: followed, without credit in the link graph. */
    nofollow: 'strict' as 'strict' | 'lenient',
    /** Characters of a URL; the sieve of BUbiNG uses the same bound. */
    maxUrlLength: 2048,
    /** Results committed at once: large enough to amortise a transaction, small enough to lose little. */
    commitBatch: 64,
    /** Milliseconds a finished page waits at most for its commit. */
    commitEveryMs: 250,
    /** Read sitemaps named in robots.txt. */
    sitemaps: true,
    /** Threads that read and judge pages; 0 = one fewer than the machine's cores, at least one. */
    workers: 0,
    /** Bytes of free disk below which fetching stops. */
    minFreeDiskBytes: 256 * 1024 * 1024,
  },
  /** Per-host exceptions an operator answers for; each use is logged. Names are host names without port. */
  robots: {
    /** Host names whose robots.txt is not obeyed: only for sites you run yourself. */
    overrideHosts: [] as string[],
  },
  http: {
    /** hosts-file lines with fixed addresses; empty = none. */
    hostsFile: '',
    /** Private and loopback addresses are refused: a crawler must not be a way into the operator's network. */
    allowPrivate: false,
    /** PEM file of certificate authorities trusted besides the system's; empty = none. */
    caFile: '',
    /** Accept servers that leave out their intermediate certificate. */
    acceptIncompleteChains: false,
    /** Milliseconds for name look-up, connecting and TLS together. */
    connectTimeoutMs: 10_000,
    /** Milliseconds from the request to the end of the headers. */
    headersTimeoutMs: 20_000,
    /** Milliseconds for a whole chain of redirects with its body. */
    totalTimeoutMs: 60_000,
    /** Bytes of a body on the wire; real pages are far smaller. */
    maxEncodedBytes: 10 * 1024 * 1024,
    /** Bytes of a body after decompression. */
    maxBodyBytes: 10 * 1024 * 1024,
    /** Bytes of all headers of an answer: some real sites set very many cookies. */
    maxHeaderBytes: 128 * 1024,
    /** Redirects followed for a page (browsers: 20). */
    maxRedirects: 20,
  },
  search: {
    /** Hits a page of results. */
    limit: 10,
  },
  server: {
    /** Loopback unless told otherwise: publishing is a decision. */
    host: '127.0.0.1',
    port: 8080,
  },
  keys: {
    /** Parameters that name a visitor or a campaign, not a document (lower case; a final * matches any ending). */
    dropParameters: [
      'phpsessid',
      'jsessionid',
      'aspsessionid*',
      'cfid',
      'cftoken',
      'sid',
      'sessionid',
      'session_id',
      'utm_*',
      'gclid',
      'dclid',
      'fbclid',
      'msclkid',
      'yclid',
      'mc_cid',
      'mc_eid',
      '_ga',
      '_gl',
      'igshid',
    ],
  },
};

/** What the code may rely on: every setting present. */
export type Config = typeof DEFAULTS;
