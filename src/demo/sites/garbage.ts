import { type DemoRequest, type DemoSite, page, redirect } from './site.ts';

const TRADES: Readonly<Record<string, readonly string[]>> = {
  slots: [
    'slot',
    'gacor',
    'bonus',
    'jackpot',
    'free spins',
    'maxwin',
    'deposit',
    'RTP live',
    'scatter',
    'daftar',
    'login',
    'terpercaya',
  ],
  pills: [
    'viagra',
    'cialis',
    'generic',
    'no prescription',
    'cheap',
    'online pharmacy',
    'tadalafil',
    'discount',
    'overnight delivery',
    'buy now',
  ],
  casino: [
    'casino',
    'no deposit bonus',
    'roulette',
    'blackjack',
    'free chips',
    'betting',
    'winning',
    'sportsbook',
    'promo code',
    'instant payout',
  ],
};

/** Three hosts that link to each other, show crawlers stuffed text and send browsers elsewhere. */
function farm(host: string, trade: string, others: readonly string[]): DemoSite {
  const words = TRADES[trade] ?? [];
  return {
    host,
    about: `spam farm (${trade}) with cloaked and redirecting pages`,
    answer(request) {
      const path = request.path.split('?')[0] ?? '/';
      if (path === '/robots.txt') return { status: 404, body: '' };
      const go = /^\/go\/(\d+)$/.exec(path);
      if (go !== null) return redirect(`/offer-${Number(go[1]) % 9}.html`);
      const n = Number(/offer-(\d+)/.exec(path)?.[1] ?? 0);
      if (n > 40) return { status: 404, body: 'gone' };
      return cloaked(request) ? forBrowsers(host) : stuffed(request, { host, words, others, n });
    },
  };
}

/** Browsers that come with a search engine's referrer are sent on; everybody else sees the stuffed page. */
function cloaked(request: DemoRequest): boolean {
  return /Mozilla\/5\.0 \(.*\) AppleWebKit/.test(request.headers['user-agent'] ?? '');
}

function forBrowsers(host: string): ReturnType<DemoSite['answer']> {
  return page({
    title: 'One moment',
    navigation: '',
    main: `<script>window.top.location.href = 'http://landing.${host}/?aff=777';</script>`,
  });
}

interface Stuffing {
  readonly host: string;
  readonly words: readonly string[];
  readonly others: readonly string[];
  readonly n: number;
}

function stuffed(request: DemoRequest, { host, words, others, n }: Stuffing): ReturnType<DemoSite['answer']> {
  const word = (i: number): string => words[(i * 7 + n * 3) % words.length] ?? '';
  const phrase = (i: number): string => `${word(i)} ${word(i + 1)} ${word(i + 4)}`;
  const title = `${phrase(1)} | ${phrase(2)} | ${phrase(5)} ${2020 + (n % 7)}`.toUpperCase();
  const sentences = Array.from(
    { length: 60 },
    (_, i) =>
      `<a href="${farmLink(request, others, i + n)}">${phrase(i)}</a> ${word(i + 2)} ${phrase(i + 3)} best ${word(i)} 100% ${word(i + 5)} 24/7 ${phrase(i + 1)}!`,
  );
  return page({
    title,
    head: `<meta name="keywords" content="${Array.from({ length: 40 }, (_, i) => phrase(i)).join(', ')}"><meta name="description" content="${Array.from({ length: 12 }, (_, i) => phrase(i)).join(' ')}">`,
    navigation: Array.from({ length: 30 }, (_, i) => `<a href="/offer-${(n + i + 1) % 41}.html">${phrase(i)}</a>`).join(
      ' ',
    ),
    main: `<h1>${title}</h1><p>${sentences.join(' ')}</p><div style="display:none">${Array.from({ length: 120 }, (_, i) => phrase(i + 9)).join(' ')}</div>
<script>eval(unescape('%64%6f%63%75%6d%65%6e%74%2e%77%72%69%74%65'));document.write(unescape('%3Ciframe%20src%3D%22http%3A//landing.${host}%22%20width%3D1%20height%3D1%3E'));</script>`,
  });
}

function farmLink(request: DemoRequest, others: readonly string[], i: number): string {
  return `${request.origin(others[i % others.length])}/offer-${i % 41}.html`;
}

const FARM = ['bonus-slots-777.example', 'cheap-pills-direct.example', 'win-casino-now.example'] as const;

export const farms: readonly DemoSite[] = [
  farm(FARM[0], 'slots', [FARM[1], FARM[2]]),
  farm(FARM[1], 'pills', [FARM[2], FARM[0]]),
  farm(FARM[2], 'casino', [FARM[0], FARM[1]]),
];

/** An almanac of which two pages are left; every other address answers 200 with the same excuse. */
export const softNotFound: DemoSite = {
  host: 'old-almanac.example',
  about: 'soft-404 host: unknown pages answer 200',
  answer({ path }) {
    if (path === '/robots.txt') return { status: 404, body: '' };
    const navigation = '<a href="/">Almanac</a> <a href="/moon.html">The moon</a>';
    if (path === '/moon.html') {
      return page({
        title: 'The moon — Old Almanac',
        navigation,
        main: '<h1>The moon</h1><p>Sow what grows upward while the moon waxes and what grows downward while it wanes, said the almanac, and did not say why. Three generations of gardeners have tested the rule in the plots behind the chapel without agreeing.</p><p>What can be measured is the light: in the week around full moon hedgehogs stay under the hedge, and slugs feed undisturbed.</p>',
      });
    }
    if (path === '/') {
      const years = Array.from(
        { length: 30 },
        (_, i) => `<li><a href="/year/${1960 + i}.html">Almanac of ${1960 + i}</a></li>`,
      );
      return page({
        title: 'The Old Almanac',
        navigation,
        main: `<h1>The Old Almanac</h1><p>For sixty years the almanac gave sunrise, high water and good advice for each day of the year. Its last editor left the web pages to the parish, which keeps the server running and little else.</p><ul>${years.join('')}</ul>`,
      });
    }
    return page({
      title: 'Page not found — Old Almanac',
      navigation,
      main: `<h1>Page not found</h1><p>Sorry, the page you are looking for could not be found. It may have been moved or deleted. Please go back to the <a href="/">home page</a>.</p>`,
    });
  },
};

/** A domain that its owner let go: one advertisement under every address. */
export const parked: DemoSite = {
  host: 'lamp-rooms.example',
  about: 'parked domain',
  answer({ path, origin }) {
    if (path === '/robots.txt') return { status: 404, body: '' };
    const topics = [
      'Hotels near me',
      'Cheap flights',
      'Holiday rentals',
      'Car hire',
      'Travel insurance',
      'Last minute deals',
    ];
    return {
      status: 200,
      body: `<!doctype html><html data-adblockkey="MFwwDQYJKoZIhvcNAQEBBQADSwAwSAJBALquDFETXRn0Hr05fUP7EJT77xYnPmRbpMy4vk8KYiHnkNpednjOANJcaXDXcKQJN0nXKZJL7TciJD8AoHXK158CAwEAAQ"><head><title>lamp-rooms.example</title></head>
<body><h1>lamp-rooms.example</h1><p>This domain is for sale. Buy this domain.</p><p>Related searches</p><ul>${topics.map((topic) => `<li><a href="${origin()}/?kw=${encodeURIComponent(topic)}">${topic}</a></li>`).join('')}</ul>
<p>The domain owner has parked this page. <a href="${origin()}/privacy">Privacy policy</a></p></body></html>`,
    };
  },
};
