/** What bot-wall detection looks at. `headers`: lower-case names. */
export interface WallEvidence {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/**
 * Names the bot wall that gave this answer, undefined when there is no strong evidence. Strong is: a header by which the
 * vendor says that it challenged, or markup that only the vendor's challenge page has. An answer with status 200 needs
 * the vendor's title and its script, since articles about bot walls quote one or the other.
 */
export function findBotWall(evidence: WallEvidence): string | undefined {
  const byHeader = wallByHeader(evidence.headers);
  if (byHeader !== undefined) return byHeader;
  if (evidence.body.length === 0 || !WALL_STATUSES.has(evidence.status)) return undefined;
  const ok = evidence.status >= 200 && evidence.status < 300;
  if (ok && evidence.body.length > MAX_CHALLENGE_BYTES) return undefined;
  const head = Buffer.from(
    evidence.body.buffer,
    evidence.body.byteOffset,
    Math.min(evidence.body.length, SEARCHED_BYTES),
  );
  const title = titleOf(head);
  const titled = WALL_TITLES.has(title) || title.endsWith('used cloudflare to restrict access');
  if (ok && !titled && !isBareChallenge(head)) return undefined;
  for (const [mark, vendor] of WALL_MARKS) {
    if (head.includes(mark, 0, 'latin1')) return vendor;
  }
  return titled && !ok ? title : undefined;
}

/** Other statuses speak for themselves, whatever their page looks like. */
const WALL_STATUSES: ReadonlySet<number> = new Set([200, 202, 401, 403, 405, 406, 418, 429, 503, 999]);
/** Challenge pages are small; a real page that carries a vendor's script is not. */
const MAX_CHALLENGE_BYTES = 64 * 1024;
const SEARCHED_BYTES = 32 * 1024;
/** Bytes up to which a page without a title is taken for nothing but a script. */
const BARE_BYTES = 4096;

function wallByHeader(headers: Readonly<Record<string, string>>): string | undefined {
  if (/challenge/i.test(headers['cf-mitigated'] ?? '')) return 'Cloudflare';
  if (/challenge|captcha/i.test(headers['x-amzn-waf-action'] ?? '')) return 'AWS WAF';
  if (/challenge/i.test(headers['x-vercel-mitigated'] ?? '')) return 'Vercel';
  if (headers['x-sucuri-block'] !== undefined) return 'Sucuri';
  if (/protected/i.test(headers['x-datadome'] ?? '')) return 'DataDome';
  return undefined;
}

/** Titles of challenge pages, lower case. */
const WALL_TITLES: ReadonlySet<string> = new Set([
  'just a moment...',
  'attention required! | cloudflare',
  'one more step',
  'please wait... | cloudflare',
  'ddos-guard',
  'checking your browser',
  'checking your browser before accessing',
  'pardon our interruption',
  'access to this page has been denied',
  'access to this page has been denied.',
  'sucuri website firewall - access denied',
  "making sure you're not a bot!",
  'making sure you&#39;re not a bot!',
  'robot check',
  'are you a robot?',
  'bot verification',
  'vercel security checkpoint',
  'you have been blocked',
  'please verify you are a human',
  'verify you are human',
]);

/** Markup that challenge pages consist of, and whose it is. */
const WALL_MARKS: readonly (readonly [string, string])[] = [
  ['/cdn-cgi/challenge-platform/', 'Cloudflare'],
  ['_cf_chl_opt', 'Cloudflare'],
  ['cf-chl-', 'Cloudflare'],
  ['cf-browser-verification', 'Cloudflare'],
  ['sucuri_cloudproxy_js', 'Sucuri'],
  ['captcha-delivery.com', 'DataDome'],
  ['px-captcha', 'PerimeterX'],
  ['window._pxAppId', 'PerimeterX'],
  ['_Incapsula_Resource', 'Imperva'],
  ['distil_r_captcha', 'Imperva'],
  ['errors.edgesuite.net', 'Akamai'],
  ['/_sec/cp_challenge/', 'Akamai'],
  ['ddos-guard', 'DDoS-Guard'],
  ['anubis_challenge', 'Anubis'],
  ['/.within.website/', 'Anubis'],
  ['awsWafCookieDomainList', 'AWS WAF'],
  ['gokuProps', 'AWS WAF'],
  ['acw_sc__v2', 'Alibaba'],
  ['/_vercel/challenge', 'Vercel'],
  ['vercel.link/security-checkpoint', 'Vercel'],
  ['ips.js?KPSDK', 'Kasada'],
  ['g-recaptcha', 'reCAPTCHA'],
  ['h-captcha', 'hCaptcha'],
  ['cf-turnstile', 'Cloudflare'],
];

function titleOf(head: Buffer): string {
  const text = head.subarray(0, 8192).toString('latin1');
  const open = text.search(/<title[\s>]/i);
  if (open < 0) return '';
  const start = text.indexOf('>', open) + 1;
  const end = text.indexOf('<', start);
  return start === 0 || end < 0 ? '' : text.slice(start, end).replace(/\s+/g, ' ').trim().toLowerCase();
}

/** Imperva and Alibaba answer with a script or frame and no title at all. */
function isBareChallenge(head: Buffer): boolean {
  if (head.length > BARE_BYTES || titleOf(head) !== '') return false;
  return BARE_MARKS.some((mark) => head.includes(mark, 0, 'latin1'));
}

const BARE_MARKS = ['_Incapsula_Resource', 'acw_sc__v2', 'sucuri_cloudproxy_js', 'captcha-delivery.com'];
