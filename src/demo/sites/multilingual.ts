import { type DemoSite, menu, notFound, page, paragraphs, redirect } from './site.ts';

interface Edition {
  readonly name: string;
  readonly pages: readonly (readonly [slug: string, title: string, lines: readonly string[]])[];
}

/** A ferry company in five languages, hreflang alternates between them. */
const EDITIONS: Readonly<Record<string, Edition>> = {
  en: {
    name: 'English',
    pages: [
      [
        'index',
        'The island ferry',
        [
          'The ferry crosses the sound six times a day from April to October and three times a day in winter. Foot passengers need no reservation.',
          'In strong westerly winds the boat lands at the inner pier. The decision is made an hour before departure and shown at the ticket office.',
        ],
      ],
      [
        'bicycles',
        'Bicycles on board',
        [
          'Bicycles travel free of charge on the lower deck. Tie them to the rail with the straps that hang there, and take your bags upstairs.',
          'Groups of more than eight should write a week ahead so that the crew can clear the forward space.',
        ],
      ],
    ],
  },
  de: {
    name: 'Deutsch',
    pages: [
      [
        'index',
        'Die Inselfähre',
        [
          'Die Fähre überquert den Sund von April bis Oktober sechsmal am Tag, im Winter dreimal. Fußgänger brauchen keine Reservierung.',
          'Bei starkem Westwind legt das Schiff am inneren Steg an. Darüber wird eine Stunde vor der Abfahrt entschieden; der Beschluss hängt an der Kasse aus.',
        ],
      ],
      [
        'fahrraeder',
        'Fahrräder an Bord',
        [
          'Fahrräder werden auf dem unteren Deck kostenlos mitgenommen. Bitte mit den Gurten am Geländer festmachen und das Gepäck nach oben tragen.',
          'Gruppen von mehr als acht Personen schreiben uns eine Woche vorher, damit die Mannschaft vorn Platz schaffen kann.',
        ],
      ],
    ],
  },
  fr: {
    name: 'Français',
    pages: [
      [
        'index',
        'Le bac de l’île',
        [
          'Le bac traverse le détroit six fois par jour d’avril à octobre et trois fois en hiver. Les piétons n’ont pas besoin de réserver.',
          'Par fort vent d’ouest, le bateau accoste à la jetée intérieure. La décision est prise une heure avant le départ et affichée au guichet.',
        ],
      ],
      [
        'velos',
        'Les vélos à bord',
        [
          'Les vélos voyagent gratuitement sur le pont inférieur. Attachez-les à la rambarde avec les sangles et montez vos sacs.',
          'Les groupes de plus de huit personnes nous écrivent une semaine à l’avance afin que l’équipage libère l’avant.',
        ],
      ],
    ],
  },
  ja: {
    name: '日本語',
    pages: [
      [
        'index',
        '島のフェリー',
        [
          'フェリーは四月から十月まで一日六便、冬は一日三便、海峡を渡ります。徒歩のお客様は予約が不要です。',
          '強い西風のときは内側の桟橋に着きます。決定は出航の一時間前に行われ、切符売り場に掲示されます。',
        ],
      ],
      [
        'jitensha',
        '自転車の持ち込み',
        [
          '自転車は下の甲板に無料で載せられます。備え付けのベルトで手すりに固定し、荷物は上の階へお持ちください。',
          '八人を超える団体は、一週間前までにお手紙でお知らせください。乗組員が前方の場所を空けます。',
        ],
      ],
    ],
  },
  ru: {
    name: 'Русский',
    pages: [
      [
        'index',
        'Паром на остров',
        [
          'Паром пересекает пролив шесть раз в день с апреля по октябрь и три раза в день зимой. Пешеходам бронировать место не нужно.',
          'При сильном западном ветре судно швартуется у внутреннего причала. Решение принимают за час до отправления и вывешивают у кассы.',
        ],
      ],
      [
        'velosipedy',
        'Велосипеды на борту',
        [
          'Велосипеды перевозят бесплатно на нижней палубе. Закрепите их ремнями у поручня и возьмите сумки наверх.',
          'Группы больше восьми человек просим написать за неделю, чтобы команда освободила место впереди.',
        ],
      ],
    ],
  },
};

export const multilingual: DemoSite = {
  host: 'three-tongues.example',
  about: 'one site in five languages',
  answer({ path, origin }) {
    if (path === '/') return redirect('/en/');
    const match = /^\/([a-z]{2})\/(?:([a-z]+)\.html)?$/.exec(path);
    const edition = EDITIONS[match?.[1] ?? ''];
    const entry = edition?.pages.find(([slug]) => slug === (match?.[2] ?? 'index'));
    if (edition === undefined || entry === undefined) return notFound();
    const [, title, lines] = entry;
    const alternates = Object.keys(EDITIONS).map(
      (code) => `<link rel="alternate" hreflang="${code}" href="${origin()}/${code}/">`,
    );
    return page({
      title,
      language: match?.[1] ?? 'en',
      head: alternates.join(''),
      navigation: menu(Object.entries(EDITIONS).map(([code, { name }]) => [`/${code}/`, name])),
      main: `<h1>${title}</h1>${paragraphs(lines)}<p>${menu(edition.pages.map(([slug, name]) => [slug === 'index' ? `/${match?.[1]}/` : `/${match?.[1]}/${slug}.html`, name]))}</p>`,
    });
  },
};
