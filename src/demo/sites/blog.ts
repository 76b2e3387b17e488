import { type DemoSite, menu, notFound, page, paragraphs } from './site.ts';

const POSTS: readonly (readonly [slug: string, title: string, lines: readonly string[]])[] = [
  [
    '2026/03/the-stone-quay',
    'The stone quay',
    [
      'The quay was built in the winter of the great frost, when the masons had nothing else to do. They set the stones dry, on edge, so that each wave presses them tighter together.',
      'I walked its length with a tape measure and a notebook. Of four hundred and twelve stones nine have moved in a century and a half, all of them where concrete was poured later to improve matters.',
    ],
  ],
  [
    '2026/04/a-gauge-of-my-own',
    'A gauge of my own',
    [
      'A length of drainpipe, a fishing float, and a potentiometer from an old radio: my first tide gauge cost less than a dinner and was wrong by a hand’s breadth at every spring tide.',
      'The second one is a pressure sensor in a jam jar. It drifts with the weather, but it has taught me more about the weather than about the sea.',
    ],
  ],
  [
    '2026/05/who-owns-the-slipway',
    'Who owns the slipway',
    [
      'Three offices claim the slipway and none of them mends it. The harbour trust has a map of 1871, the council a lease of 1934, and the yacht club a padlock.',
      'Last Saturday eleven neighbours with shovels settled the question for the time being by clearing the weed.',
    ],
  ],
  [
    '2026/06/fog-signals',
    'Fog signals',
    [
      'Before the horn there was a bell, before the bell a gun, and before the gun a boy with a drum. The boy was paid by the hour of fog and is said to have prayed for it.',
      'The horn has been silent since March. Ships listen to satellites now, and the gulls have moved back to the tower.',
    ],
  ],
  [
    '2026/07/learning-to-scull',
    'Learning to scull',
    [
      'One oar over the stern, a figure of eight drawn in the water, and the boat goes where it likes. After a week it goes roughly where I like; after two I can hold a cup of tea.',
      'The trick that nobody tells you: look at the far shore, not at the blade.',
    ],
  ],
  [
    '2026/08/the-eel-count',
    'The eel count',
    [
      'On three nights in August we stand in the stream with lamps and count the glass eels that climb the weir. This year there were two hundred and six; the oldest of us remembers buckets.',
      'The count goes to the county, where somebody adds it to a curve that has pointed down since before I was born. We will count again next year.',
    ],
  ],
];

const MENU = menu([
  ['/', 'Quayside Notes'],
  ['/about', 'About'],
  ['/calendar/2026/08', 'Calendar'],
]);

/** A blog with a calendar without end, and comments that link to a spam farm. */
export const blog: DemoSite = {
  host: 'quayside-notes.example',
  about: 'blog with an endless calendar and spam in its comments',
  answer({ path, origin }) {
    const post = POSTS.find(([slug]) => path === `/${slug}`);
    if (post !== undefined) {
      const [slug, title, lines] = post;
      return page({
        title: `${title} — Quayside Notes`,
        navigation: MENU,
        main: `<article><h1>${title}</h1>${paragraphs(lines)}</article>
<section class="comments"><h2>Comments</h2><p>Lovely, as always. M.</p>${spamComment(slug, origin)}</section>`,
      });
    }
    const month = /^\/calendar\/(\d{4})\/(\d{2})$/.exec(path);
    if (month !== null) return calendar(Number(month[1]), Number(month[2]));
    if (path === '/about') {
      return page({
        title: 'About — Quayside Notes',
        navigation: MENU,
        main: '<h1>About</h1><p>Notes from a small harbour by somebody who came for a summer and stayed. Letters are welcome and answered slowly.</p>',
      });
    }
    if (path !== '/') return notFound();
    return page({
      title: 'Quayside Notes',
      navigation: MENU,
      main: `<h1>Quayside Notes</h1>${POSTS.map(([slug, title, lines]) => `<article><h2><a href="/${slug}">${title}</a></h2><p>${lines[0]?.split('. ')[0]}.</p></article>`).join('')}
<p>Elsewhere: <a href="${origin('tidewatch.example')}/">the tide clock manual</a>, <a href="${origin('harbour-goods.example')}/">the shop on the fish quay</a>, <a href="${origin('island-gazette.example')}/">the island’s newspaper</a>, <a href="${origin('three-tongues.example')}/en/">the ferry company</a>, <a href="${origin('county-library.example')}/">the county library</a>, <a href="${origin('old-almanac.example')}/">the old almanac</a>, <a href="${origin('lamp-rooms.example')}/">a guest house that has closed</a>.</p>`,
    });
  },
};

function spamComment(slug: string, origin: (host?: string) => string): string {
  const n = slug.length % 3;
  const farm =
    ['bonus-slots-777.example', 'cheap-pills-direct.example', 'win-casino-now.example'][n] ?? 'bonus-slots-777.example';
  return `<p>Nice post! <a href="${origin(farm)}/offer-${n}.html">best bonus here</a> <a href="${origin(farm)}/go/${n}">click</a></p>`;
}

/** Every month links to the next for ever. */
function calendar(year: number, month: number): ReturnType<DemoSite['answer']> {
  const next = month === 12 ? `${year + 1}/01` : `${year}/${String(month + 1).padStart(2, '0')}`;
  const previous = month === 1 ? `${year - 1}/12` : `${year}/${String(month - 1).padStart(2, '0')}`;
  return page({
    title: `${year}-${String(month).padStart(2, '0')} — Quayside Notes`,
    navigation: MENU,
    main: `<h1>Calendar ${month} / ${year}</h1><p>No entries in this month.</p><a href="/calendar/${previous}">earlier</a> <a href="/calendar/${next}">later</a>`,
  });
}
