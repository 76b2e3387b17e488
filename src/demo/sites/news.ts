import { type DemoSite, menu, notFound, page, paragraphs } from './site.ts';

const STORIES: readonly (readonly [slug: string, title: string, lines: readonly string[]])[] = [
  [
    'bridge-opens',
    'Footbridge opens after two years',
    [
      'The footbridge over the mill race was opened on Saturday by the two oldest and the two youngest inhabitants of the parish, who walked towards each other and met in the middle.',
      'It replaces the bridge that the flood took away. The timber came from the parish wood and was sawn on the spot.',
    ],
  ],
  [
    'school-boat',
    'A boat for the school',
    [
      'Pupils of the upper class have finished the rowing boat that they began in autumn. It leaks, the teacher says, exactly as much as a new boat should.',
      'It will be launched at the regatta and used for lessons in measuring the depth of the bay.',
    ],
  ],
  [
    'bakery-hours',
    'Bakery changes its hours',
    [
      'From next week the bakery opens at five in the morning, to suit the first ferry, and closes at noon.',
      'The baker asks those who like their bread warm to come before six.',
    ],
  ],
  [
    'dark-skies',
    'Street lamps to be dimmed',
    [
      'The council voted to dim the street lamps after midnight from October to March. A trial in the lower village saved a third of the current and drew no complaint but one.',
      'The observatory on the hill has thanked the council with an open night.',
    ],
  ],
  [
    'heron-count',
    'More herons than last year',
    [
      'Volunteers counted fourteen nests in the pines behind the cove, three more than last spring.',
      'Visitors are asked to keep to the lower path until the young have flown.',
    ],
  ],
];

const MENU = menu([
  ['/', 'Island Gazette'],
  ['/latest', 'Latest'],
]);

/** The paper's front page can be changed while the demo runs; its pages carry the beacon. */
export function createNews(): DemoSite & { publish(title: string, text: string): void } {
  let extra: readonly [string, string] | undefined;
  return {
    host: 'island-gazette.example',
    about: 'news page with the change beacon',
    publish(title, text) {
      extra = [title, text];
    },
    answer({ path, origin }) {
      const beacon = `<script async referrerpolicy="no-referrer-when-downgrade" src="${origin('winnow-beacon.example')}/beacon.js"></script>`;
      const story = STORIES.find(([slug]) => path === `/story/${slug}`);
      if (story !== undefined) {
        const [, title, lines] = story;
        return page({
          title: `${title} — Island Gazette`,
          head: beacon,
          navigation: MENU,
          main: `<article><h1>${title}</h1>${paragraphs(lines)}</article>`,
        });
      }
      if (path === '/latest') {
        const [title, text] = extra ?? [
          'Nothing new this morning',
          'The harbour master reports calm water, light airs from the south, and one seal on the slipway who declined to move.',
        ];
        return page({
          title: `${title} — Island Gazette`,
          head: beacon,
          navigation: MENU,
          main: `<article><h1>${title}</h1><p>${text}</p><p>The Gazette is set by hand on Fridays and corrected on Saturdays.</p></article>`,
        });
      }
      if (path !== '/') return notFound();
      return page({
        title: 'Island Gazette',
        head: beacon,
        navigation: MENU,
        main: `<h1>Island Gazette</h1>${STORIES.map(([slug, title, lines]) => `<article><h2><a href="/story/${slug}">${title}</a></h2><p>${lines[0]}</p></article>`).join('')}`,
      });
    },
  };
}
