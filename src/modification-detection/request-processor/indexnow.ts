/** What a site tells by the IndexNow protocol: pages of one host, and where the key that proves it is that host lies. */
export interface IndexNowSubmission {
  readonly urls: readonly string[];
  readonly key: string;
  /** The file that must hold the key. It vouches for what lies beside and below it. */
  readonly keyUrl: string;
}

/** Status as the protocol has it: 400 malformed, 422 pages of another host or not below the key file. */
export interface IndexNowProblem {
  readonly status: 400 | 422;
  readonly problem: string;
}

/** Pages of one submission, by the protocol. */
const MAX_URLS = 10_000;
const KEY = /^[A-Za-z0-9-]{8,128}$/;

/** `fields`: the JSON of a POST, or the query of a GET, in which one `url` stands for host and list. */
export function readSubmission(fields: unknown): IndexNowSubmission | IndexNowProblem {
  if (typeof fields !== 'object' || fields === null) return malformed('not a JSON object');
  const { host, url, urlList, key, keyLocation } = Object.fromEntries(Object.entries(fields)) as Fields;
  if (typeof key !== 'string' || !KEY.test(key)) return malformed('key: 8 to 128 letters, digits and dashes');
  const urls = url === undefined ? urlList : [url];
  if (!Array.isArray(urls) || urls.length === 0 || urls.length > MAX_URLS || !urls.every(isUrl))
    return malformed(`url or urlList: 1 to ${MAX_URLS} absolute http(s) URLs`);
  const first = new URL(urls[0] ?? '');
  const name = url === undefined ? host : first.host;
  if (typeof name !== 'string') return malformed('host: a text');
  const keyUrl = keyLocation === undefined ? new URL(`/${key}.txt`, first).href : keyLocation;
  if (!isUrl(keyUrl)) return malformed('keyLocation: an absolute http(s) URL');
  const folder = new URL('.', keyUrl);
  const isVouchedFor = (one: string): boolean => {
    const { host: own, hostname, pathname } = new URL(one);
    const isNamed = [own, hostname].includes(name.toLowerCase());
    return isNamed && own === folder.host && pathname.startsWith(folder.pathname);
  };
  if (!urls.every(isVouchedFor)) return { status: 422, problem: 'a URL is not of this host or not below the key file' };
  return { urls, key, keyUrl };
}

/** What the key file says. */
export function holdsKey(text: string, key: string): boolean {
  return text.split(/\s+/).includes(key);
}

type Fields = Readonly<Record<'host' | 'url' | 'urlList' | 'key' | 'keyLocation', unknown>>;

function isUrl(value: unknown): value is string {
  return typeof value === 'string' && /^https?:\/\//i.test(value) && URL.canParse(value);
}

function malformed(problem: string): IndexNowProblem {
  return { status: 400, problem };
}
