import { type DemoRequest, type DemoSite, menu, notFound, page, text } from './site.ts';

interface Product {
  readonly id: string;
  readonly name: string;
  readonly colour: string;
  readonly size: string;
  readonly about: string;
}

const COLOURS = ['ochre', 'slate', 'moss'];
const SIZES = ['small', 'medium', 'large'];

const GOODS: readonly (readonly [name: string, about: string])[] = [
  [
    'Oilskin jacket',
    'Cut long at the back for sitting on wet benches. The seams are taped and the hood folds into the collar. Wash it cold and hang it to dry away from the stove.',
  ],
  [
    'Rope fender',
    'Plaited by hand from old mooring line around a core of cork. It floats, does not mark the hull, and may be spliced again when the cover is worn.',
  ],
  [
    'Brass oil lamp',
    'Burns eleven hours on one filling. The glass is made by a workshop that still blows it, and spare wicks are kept in stock for every lamp sold since the shop opened.',
  ],
  [
    'Chart weight',
    'A lead disc sewn into leather, heavy enough to keep a chart flat in an open cockpit and soft enough not to scratch the table when the boat rolls.',
  ],
  [
    'Canvas bucket',
    'Folds flat, carries nine litres and has a stiff rim that tips over when it lands in the water. The rope handle is long enough for a high quay.',
  ],
  [
    'Wool pullover',
    'Knitted in the round with a square gusset under each arm, so that it does not ride up when hauling. The wool keeps some of its grease and sheds light rain.',
  ],
  [
    'Folding anchor',
    'Four flukes lock open with a sliding ring. For dinghies up to four metres, on sand and weed; on rock take the heavier grapnel instead.',
  ],
  [
    'Sailmaker’s palm',
    'Raw hide with a steel eye set at the right angle for a left or a right hand. New leather is stiff and takes the shape of the hand within a week.',
  ],
  [
    'Signal horn',
    'Blown by mouth, heard at half a mile, needs no gas and no battery. The reed can be taken out and cleaned with a feather.',
  ],
  [
    'Tide table stand',
    'An oak board with a spring that holds the page of the day. Screw it to a bulkhead beside the clock.',
  ],
  [
    'Enamel mug',
    'Thick steel under two coats of enamel, a rolled rim that does not chip, and a handle wide enough for gloves.',
  ],
  ['Splicing fid', 'Turned from lignum vitae to a long even taper. Opens the lay of a rope without cutting its yarns.'],
];

const PRODUCTS: readonly Product[] = GOODS.map(([name, about], i) => ({
  id: name.toLowerCase().replace(/[^a-z]+/g, '-'),
  name,
  about,
  colour: COLOURS[i % COLOURS.length] ?? 'ochre',
  size: SIZES[i % SIZES.length] ?? 'small',
}));

const MENU = menu([
  ['/', 'Harbour Goods'],
  ['/goods', 'All goods'],
  ['/delivery', 'Delivery'],
  ['/basket', 'Basket'],
]);

/** A shop: facets that multiply, a session number in every link of the list, a select form. */
export const shop: DemoSite = {
  host: 'harbour-goods.example',
  about: 'shop with facets and selects',
  answer(request) {
    const path = request.path.split('?')[0] ?? '';
    if (path === '/robots.txt') return text('User-agent: *\nDisallow: /basket\n');
    if (path === '/goods') return list(request);
    if (path === '/delivery') return delivery();
    const product = PRODUCTS.find((p) => path === `/goods/${p.id}`);
    if (product !== undefined) {
      return page({
        title: `${product.name} — Harbour Goods`,
        navigation: MENU,
        main: `<h1>${product.name}</h1><p>${product.about}</p><p>Colour: ${product.colour}. Size: ${product.size}.</p><form action="/basket" method="post"><input type="hidden" name="id" value="${product.id}"><button>Put in the basket</button></form>`,
      });
    }
    if (path !== '/') return notFound();
    return page({
      title: 'Harbour Goods: things that last by the sea',
      navigation: MENU,
      main: '<h1>Harbour Goods</h1><p>We sell what we would take to sea ourselves, repair what we have sold, and answer letters by hand. The shop stands at the end of the old fish quay and is open when the lamp is lit.</p><p>See <a href="/goods">all goods</a> or read how we <a href="/delivery">deliver</a>.</p>',
    });
  },
};

function list(request: DemoRequest): ReturnType<DemoSite['answer']> {
  const { query } = request;
  const chosen = PRODUCTS.filter(
    (p) =>
      fits(query.getAll('colour'), p.colour) && fits(query.getAll('size'), p.size) && fitsText(query.get('q'), p.name),
  );
  if (query.get('sort') === 'name') chosen.reverse();
  const facets = ['colour', 'size'].flatMap((facet) =>
    (facet === 'colour' ? COLOURS : SIZES).map((value) => {
      const next = new URLSearchParams(query);
      next.append(facet, value);
      next.set('sid', `s${next.toString().length}${value.length}`);
      return `<a href="/goods?${next.toString().replaceAll('&', '&amp;')}">${facet}: ${value}</a>`;
    }),
  );
  return page({
    title: 'All goods — Harbour Goods',
    navigation: MENU,
    main: `<h1>All goods</h1><form action="/goods" method="get"><input name="q" type="search" placeholder="Search the shop"><select name="sort"><option value="">as we like them</option><option value="name">by name</option></select><button>Show</button></form>
<p>Narrow down: ${facets.join(' ')}</p><ul>${chosen.map((p) => `<li><a href="/goods/${p.id}">${p.name}</a>, ${p.colour}, ${p.size}</li>`).join('')}</ul>`,
  });
}

function fits(wanted: readonly string[], value: string): boolean {
  return wanted.length === 0 || wanted.includes(value);
}

function fitsText(wanted: string | null, name: string): boolean {
  return wanted === null || name.toLowerCase().includes(wanted.toLowerCase());
}

function delivery(): ReturnType<DemoSite['answer']> {
  return page({
    title: 'Delivery — Harbour Goods',
    navigation: MENU,
    main: '<h1>Delivery</h1><p>Parcels leave on Mondays and Thursdays with the mail boat. Within the islands they take a day, to the mainland three. Anchors go as freight and need a signature.</p><p>Goods may be sent back within a month, used or not, if they do not do what they should.</p>',
  });
}
