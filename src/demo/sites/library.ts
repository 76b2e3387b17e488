import { type DemoSite, menu, notFound, page, paragraphs } from './site.ts';

const BOOKS: readonly (readonly [id: string, title: string, author: string, lines: readonly string[]])[] = [
  [
    'b1',
    'Tides of the Northern Sounds',
    'H. Aldous',
    [
      'A fisherman’s observations over forty years, with tables for nine harbours and a chapter on how they were taken.',
      'The second edition corrects the heights of the outer stations.',
    ],
  ],
  [
    'b2',
    'Knots and Splices',
    'M. Ferrow',
    [
      'Two hundred knots drawn from life, each with the work it was made for.',
      'The last part treats wire, which the author did not love.',
    ],
  ],
  [
    'b3',
    'The Lighthouse Inspectors',
    'C. Penhale',
    [
      'A history of the men who travelled from lamp to lamp with a notebook and a bottle of oil to test.',
      'Based on the inspectors’ own diaries.',
    ],
  ],
  [
    'b4',
    'Salt Gardens',
    'R. Imbert',
    ['What grows within reach of the spray, and how to help it.', 'With a calendar for planting behind walls.'],
  ],
  [
    'b5',
    'Measuring the Sea',
    'L. Ostrow',
    [
      'From the notched pole to the satellite: how people have asked the sea for its height.',
      'A chapter on small harbours describes gauges that can be built at home.',
    ],
  ],
  ['b6', 'The Ferry Timetable as Literature', 'D. Quill', ['Essays on waiting.', 'Some are very short.']],
];

const MENU = menu([
  ['/', 'County Library'],
  ['/hours', 'Opening hours'],
]);

/** A catalogue whose records are reached only through its POST search form. */
export const library: DemoSite = {
  host: 'county-library.example',
  about: 'catalogue behind a POST search form',
  answer({ method, path, body }) {
    if (path === '/catalogue/search' && method === 'POST') return found(body.get('words') ?? '');
    const book = BOOKS.find(([id]) => path === `/catalogue/${id}`);
    if (book !== undefined) {
      const [, title, author, lines] = book;
      return page({
        title: `${title} — County Library`,
        navigation: MENU,
        main: `<h1>${title}</h1><p>by ${author}</p>${paragraphs(lines)}`,
      });
    }
    if (path === '/hours') {
      return page({
        title: 'Opening hours — County Library',
        navigation: MENU,
        main: '<h1>Opening hours</h1><p>Tuesday to Friday from ten to six, Saturday from nine to one. In the week of the regatta the library is closed and the librarian is on the water.</p>',
      });
    }
    if (path !== '/') return notFound();
    return page({
      title: 'County Library',
      navigation: MENU,
      main: `<h1>County Library</h1><p>The catalogue holds eleven thousand books, maps and letters. Enter a word of the title, the author’s name or the subject.</p>
<form action="/catalogue/search" method="post" role="search"><input type="hidden" name="collection" value="all"><label>Words <input type="text" name="words"></label> <button type="submit">Search</button></form>
<form action="/newsletter" method="post"><label>Newsletter <input type="email" name="email"></label><button>Subscribe</button></form>`,
    });
  },
};

function found(words: string): ReturnType<DemoSite['answer']> {
  const wanted = words
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const hits = BOOKS.filter(
    (book) => wanted.length > 0 && wanted.every((word) => book.flat().join(' ').toLowerCase().includes(word)),
  );
  const list = hits
    .map(([id, title, author]) => `<li><a href="/catalogue/${id}">${title}</a>, ${author}</li>`)
    .join('');
  return page({
    title: 'Search results — County Library',
    navigation: MENU,
    main: `<h1>${hits.length} records</h1>${hits.length === 0 ? '<p>No record has these words.</p>' : `<ul>${list}</ul>`}<form action="/catalogue/search" method="post" role="search"><input type="hidden" name="collection" value="all"><input type="text" name="words"><button>Search</button></form>`,
  });
}
