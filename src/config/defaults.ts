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
    /** Tries after the first before a passing failure of a host that has answered before counts as an end. */
    retries: 2,
    /** Milliseconds until the first new try; six times as long until each further one. */
    retryMs: 10_000,
    /** Seconds a crawl waits with nothing to do for a host that rests; what is left then waits for the next run. */
    maxIdleSeconds: 90,
    /** Distinct links taken from a page, and UTF-16 units of anchor text kept of each. */
    maxLinksPerPage: 10_000,
    maxAnchorLength: 200,
    /** UTF-16 units of main text stored for snippets. */
    maxStoredText: 1_000_000,
    /** Seconds spent on the sitemaps of one seed's site at most. */
    sitemapSeconds: 300,
    /** Read sitemaps named in robots.txt. */
    sitemaps: true,
    /** Threads that read and judge pages; 0 = one fewer than the machine's cores, at least one. */
    workers: 0,
    /** Bytes of free disk below which fetching stops. */
    minFreeDiskBytes: 256 * 1024 * 1024,
  },
  /** Per-host exceptions an operator answers for; each use is logged. Names are host names without port. */
  robots: {
    /** Milliseconds that a copy is used without asking again (RFC 9309 §2.4: at most 24 h). */
    lifeMs: 86_400_000,
    /** Milliseconds from the first failure that the last good copy still counts. */
    copyMs: 86_400_000,
    /** Milliseconds unreachable after which everything is allowed (RFC 9309 §2.3.1.4 names 30 days). */
    unreachableOpenMs: 30 * 86_400_000,
    /** Milliseconds until the first new attempt after a failed one; doubled with each further failure. */
    retryMs: 60_000,
    maxRetryMs: 6 * 3_600_000,
    /** Bytes of robots.txt files held in memory. */
    cacheBytes: 64 * 1024 * 1024,
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
    /** Milliseconds for the name look-up, and again for connecting, proxy and TLS together. */
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
    /** Redirects followed for a page (browsers: 20) and for robots.txt (RFC 9309 §2.3.1.2: at least five). */
    maxRedirects: 20,
    maxRobotsRedirects: 5,
    /** Both bounds for sitemaps (the protocol allows 50 MB uncompressed) and for robots.txt (Google reads 500 KiB). */
    maxSitemapBytes: 50 * 1024 * 1024,
    maxRobotsBytes: 512 * 1024,
    /** A Content-Length above this is not asked for at all. */
    maxAnnouncedBytes: 100 * 1024 * 1024,
    /** Bytes a second below which a body is cut, after graceMs milliseconds: a dripping server holds a place. */
    minBytesPerSecond: 100,
    graceMs: 10_000,
    /** Connections to one origin. Politeness allows one; robots.txt and sitemaps may need a second. */
    connectionsPerOrigin: 2,
    maxIdleConnections: 256,
    /** Milliseconds; must outlive the pause between two pages of a host. */
    keepAliveMs: 10_000,
    /** Accept-Language: no language preferred, so that sites show their own. */
    acceptLanguage: '*',
    /** Milliseconds; longer Retry-After values are cut to a day. */
    maxRetryAfterMs: 86_400_000,
  },
  dns: {
    /** Servers as address or address:port; empty = the system's. */
    servers: [] as string[],
    /** Seconds; times to live are clamped to these. */
    minTtlSeconds: 60,
    maxTtlSeconds: 3_600,
    /** Seconds that a failed look-up is remembered. */
    negativeTtlSeconds: 300,
    cacheSize: 10_000,
    concurrency: 8,
    /** Milliseconds of one query. */
    timeoutMs: 3_000,
    tries: 2,
  },
  frontier: {
    /** Milliseconds a host rests after the first 429 or 503; doubled by each further one in a row. */
    backOffBaseMs: 60_000,
    backOffMaxMs: 86_400_000,
    /** Possible soft-404 URLs are at most one in so many of a host's requests. */
    deferredOneIn: 10,
    /** Milliseconds between two requests to one address, whatever the names. */
    addressGapMs: 0,
  },
  visited: {
    /** Seen URLs kept in memory, 24 bytes each. */
    seenCacheEntries: 262_144,
    hostCacheEntries: 20_000,
  },
  database: {
    /** Bytes of page cache of the writer's and of each reader's connection. */
    writerCacheBytes: 64 * 1024 * 1024,
    readerCacheBytes: 64 * 1024 * 1024,
    /** Milliseconds that a short write waits for the writer. */
    busyTimeoutMs: 5_000,
  },
  repository: {
    /** Bytes after which a WARC file is closed and the next begun; the usual size of archives. */
    warcRollBytes: 1024 * 1024 * 1024,
    /** Quarantined pages whose bytes are held for each domain and kind. */
    quarantinePerDomainAndKind: 5,
    /** Versions of a page that "compact" leaves, the newest included. */
    versionsPerUrl: 5,
    /** Days that versions other than the newest are left. */
    versionDays: 365,
    /** Bytes of all archives; beyond, the oldest versions lose theirs, never the newest of a kept page. */
    diskBytes: 100 * 1024 * 1024 * 1024,
    /** Share of the archives that quarantined garbage may take. */
    quarantineShare: 0.1,
    /** A file is rewritten when less than this share of it is in use: rewriting costs as much as what is left in it. */
    rewriteBelow: 0.5,
  },
  duplicates: {
    /** Distinct texts of a site from which on a block in them is the site's template. */
    templateTexts: 5,
    /** Texts within the simhash distance that are compared, the nearest first. */
    maxCandidates: 200,
    /** Rows of each table held in memory; a text takes up to 3 kB. */
    cacheRows: 2_000,
  },
  links: {
    /** Anchor texts kept in memory. */
    textCacheEntries: 20_000,
    /** UTF-16 units of an anchor text; longer ones are cut. */
    maxTextLength: 200,
  },
  pageRank: {
    /** Share of a page's rank that flows along its links (Brin and Page 1998). */
    damping: 0.85,
    /** Stops when a step changes all ranks together by less. */
    tolerance: 1e-8,
    maxIterations: 200,
  },
  detector: {
    /** Level auto: calibrated probabilities below and above which the fast trees decide alone. */
    sureHam: 0.02,
    sureGarbage: 0.98,
  },
  judging: {
    /** Milliseconds of judging that a second of crawling may cost, all threads together; above it reduced trees judge. */
    budgetMsPerSecond: 800,
    /** Share of the budget below which the full trees come back: well below, so that they do not alternate. */
    returnShare: 0.6,
  },
  garbage: {
    /** Judged pages of distinct text before spam can condemn (DESIGN part 4, item 3). */
    spamPages: 5,
    /** The lower 95 % bound of the garbage share must be above this. */
    spamShare: 0.8,
    /** Soft-404 pages before an area is possible soft-404. */
    softPages: 2,
    /** Least share of soft-404 among the judged pages of such an area. */
    softShare: 0.1,
    /** Milliseconds after which a condemnation ends by itself: 30 days. */
    expiresMs: 30 * 86_400_000,
    /** Kept pages in a row, judged after the condemnation, that end it. */
    goodPages: 3,
    /** Judged pages remembered a domain, newest first. */
    pagesPerDomain: 500,
  },
  traps: {
    /** Path segments of the deepest real page, and parameters of the most particular one. */
    maxSegments: 25,
    maxParameters: 25,
    /** Values that may be chosen at once in filters named alike (`f[0]=…&f[1]=…`). */
    maxFacets: 3,
    /** Years ahead that a dated page may lie, and years back of an events calendar. */
    yearsAhead: 2,
    calendarYearsBack: 50,
    /** Pages that a folder or pattern may yield in vain before anything is concluded from it. */
    baseBudget: 12,
    /** Further pages allowed for every new text: a part of a site is worth it when one page in so many is new. */
    budgetPerNew: 8,
    /** Pages seen from which a folder or pattern speaks for itself and its parents are not asked. */
    minEvidence: 5,
    /** Pages of a host without anything new after which links to folders below such pages are not followed. */
    growingPages: 3,
    /** URLs with two or more filter values taken per path. */
    maxFacetUrls: 100,
    /** Folders, patterns and pages remembered of each kind. */
    maxEntries: 100_000,
  },
  index: {
    /** Matching documents known by id, best first by the full-text engine's score; the rest are only counted. */
    matched: 1_000,
    /** The best of them, from text and anchor texts each, that are loaded for ranking. */
    candidates: 300,
    /** The same from the anchor texts alone. */
    linkCandidates: 100,
    /** Documents scored at most by the full-text engine in one query; words that more hold only help to rank. */
    maxScored: 3_000,
  },
  search: {
    /** Hits a page of results. */
    limit: 10,
    /** Fewer documents than this with all words: documents with any of them are shown too. */
    relaxBelow: 10,
    /** A query word is looked up with the stems of every language that has at least this share of the documents. */
    languageShare: 0.01,
    /** UTF-16 units of a snippet: two to three lines. */
    snippetLength: 240,
    facetValues: 20,
  },
  /** Weights of the ranking; tuned on the retrieval collections and on documentation (docs/evaluation.md). */
  ranking: {
    /** Saturation of the weighted term frequency. */
    k1: 1.2,
    /** Weight of one occurrence per field. */
    weights: { title: 4, headings: 2, body: 1, aside: 0.15, url: 2, anchors: 1.5 },
    /** Length normalisation per field, 0 to 1. */
    b: { title: 0.3, headings: 0.3, body: 0.6, aside: 0.6, url: 0.3, anchors: 0.2 },
    /** Weight of words standing close together. */
    proximity: 0.4,
    /** Weight, in sums of idf, of a title and of an anchor text that is exactly the query. */
    titleMatch: 0.5,
    anchorMatch: 0.8,
    /** Share of the score that depends on how much of the query's idf the document holds. */
    coverage: 0.3,
    /** Weight of the logarithm of the link prior. */
    prior: 0.3,
    /** κ of exp(−κ·P(garbage)). */
    garbage: 2,
    /** Factor of documents kept with a lower rank. */
    demotion: 0.1,
    /** Weight of stop words beside other words. */
    stopWords: 0.3,
    /** Best documents whose word order is read. */
    proximityDepth: 50,
  },
  focus: {
    /** Results taken from one answer of a site's search: the first page of most of them. */
    top: 20,
    /** Fitness from which on a page with a keyword is relevant: one occurrence in an ordinary paragraph. */
    minFitness: 0.3,
    /** K-level: tags of a path that count from the leaf upwards; 0 = the whole path. */
    levels: 0,
    /** K-level: factor of each level further from the leaf, in (0, 1]; 1 = a plain sum. */
    decay: 1,
    /** Queries without a result after which an interface is given up as answering everything alike. */
    probeQueries: 5,
    /** Best pages of a site that words are learned from (the paper's ten), and words fired in turn. */
    learnPages: 10,
    learnWords: 10,
    /** How often learned words are fired in turn. */
    learnRounds: 1,
  },
  /** What visitors' browsers report of registered sites (docs/freshness.md). */
  beacon: {
    /** Distinct visitors (address blocks) that must report the same before it is believed: one alone may be forged. */
    visitors: 2,
    /** Milliseconds within which they must. */
    agreementMs: 3_600_000,
    /** Milliseconds after a visitor confirmed a page during which no other one is asked: the bound of how stale it gets. */
    newEnoughMs: 10_000,
    /** Milliseconds that a page's standing is used without asking the database again, and characters of keys held. */
    standingMs: 2_000,
    standingLength: 1_000_000,
    /** Milliseconds that visitors are told apart under one key: a day. It is never stored. */
    visitorKeyMs: 86_400_000,
    /** Scripts, and again reports, of one visitor: an office behind one address is one visitor. */
    visitorPerSecond: 1,
    visitorBurst: 60,
    /** Look-ups in the database, and again reports, of one site. */
    sitePerSecond: 200,
    siteBurst: 1_000,
    /** Visitors and sites whose use is held in memory. */
    maxVisitors: 50_000,
    maxSites: 10_000,
    /** Milliseconds that work waits for the server's thread, above which all visitors get the empty answer. */
    maxLoopDelayMs: 100,
    /** Look-ups under way above which visitors get the empty answer. */
    maxLookups: 256,
    /** Pages of one site, and of all, with a report that was not looked at yet. */
    maxQueuedPerSite: 1_000,
    maxQueued: 10_000,
    /** Pages on which visitors disagree, held in memory (5 kB each at most), and pages remembered on disk. */
    maxDisputed: 2_000,
    maxPages: 200_000,
    /** Milliseconds: reports of a page closer than this that differ saw two views of it rather than a change. */
    viewMs: 300_000,
    /** Differences of a part between views, beyond those that crawls confirmed, at which it is masked. */
    maskAt: 3,
    /** A masked part counts again after so many equal reports in a row over so many milliseconds: a day. */
    stableReports: 20,
    stableMs: 86_400_000,
    /** Milliseconds between two commits of reports: what kill -9 may lose. */
    commitMs: 500,
    /** Milliseconds until the server sees a site that was registered. */
    sitesMs: 2_000,
    /** Bytes of page cache of beacon.db. */
    cacheBytes: 8 * 1024 * 1024,
  },
  /** Sites that tell of changed pages by the IndexNow protocol (docs/freshness.md). */
  indexNow: {
    /** Milliseconds that a key found in its file is believed, and one not found is not looked for again. */
    keyLifeMs: 3_600_000,
    noKeyLifeMs: 60_000,
    /** Findings held in memory. */
    keyFilesHeld: 1_000,
    /** Key files asked for of one host at once, and an hour after that: keys can be made up without end. */
    keyFileBurst: 5,
    keyFilesPerHour: 30,
    /** Hosts whose use is held in memory. */
    maxSites: 10_000,
  },
  updating: {
    /** Pages crawled again an hour, over all hosts and runs: one a second, which one site at the usual delay can take. */
    ratePerHour: 3_600,
    /** greedy-signals: what is worth most by change rates, importance and signals; uniform: the oldest copies first. */
    policy: 'greedy-signals' as 'greedy-signals' | 'uniform',
    /** Probability that a copy is out of date from which on it is crawled again; below it is left alone. */
    dueProbability: 0.2,
    /** Milliseconds between two looks for new signals, and between two scans of all pages for old copies. */
    lookMs: 250,
    scanMs: 600_000,
    /** Milliseconds between two readings of a feed, and of the sitemaps of a site. */
    feedMs: 900_000,
    sitemapMs: 21_600_000,
    /** Pages handed to the frontier at once, and due ones that one look over all pages remembers. */
    batch: 200,
    maxDue: 10_000,
    /** Milliseconds between two runs that serve --update starts without a signal, and after a first failed one. */
    serveEveryMs: 600_000,
    serveRetryMs: 5_000,
  },
  server: {
    /** Loopback unless told otherwise: publishing is a decision. */
    host: '127.0.0.1',
    port: 8080,
    /** URL of the server as visitors of other sites reach it, for the lines that site owners get; empty = not known. */
    publicUrl: '',
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
