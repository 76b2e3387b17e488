import { type DemoSite, menu, notFound, page, paragraphs, text } from './site.ts';

interface Topic {
  readonly slug: string;
  readonly title: string;
  readonly lines: readonly string[];
}

/** Documentation of a program that does not exist: a tide clock for small harbours. */
export const TOPICS: readonly Topic[] = [
  topic('install', 'Installing Tidewatch', [
    'Tidewatch runs on any machine with a serial port and forty megabytes of memory. Unpack the archive, connect the gauge and start the service with <code>tidewatch start</code>.',
    'On first start the program asks for the position of the harbour and the name of the nearest reference station. Both can be changed later in the settings file.',
    'If the gauge is not found, check that your user belongs to the group that owns the serial device, and that no other program holds it open.',
  ]),
  topic('configure', 'The settings file', [
    'All settings live in one file, <code>tidewatch.toml</code>. Every line is a name, an equals sign and a value; lines that begin with a hash are comments.',
    'The setting <code>sampling_interval</code> gives the seconds between two readings of the gauge. Values under five seconds wear out the float of older models.',
    'Settings that are misspelt are reported at start with the nearest known name, and the program refuses to run rather than guess.',
  ]),
  topic('gauges', 'Supported gauges', [
    'Float gauges, pressure gauges and radar gauges are supported. Float gauges are cheap and drift with temperature; radar gauges need a clear view of the water.',
    'A pressure gauge measures the column of water above it and must be corrected for the pressure of the air. Connect a barometer, or let Tidewatch fetch the value from the weather station of the port.',
    'Several gauges may be combined. The median of their readings is used, so that a single stuck float does no harm.',
  ]),
  topic('calibration', 'Calibrating a gauge', [
    'Calibration compares the gauge with a staff that is read by eye. Read the staff at high water and again at low water on three calm days, and enter the six values with <code>tidewatch calibrate</code>.',
    'The program fits a line through the pairs and prints the offset and the scale. A scale further than two hundredths from one points to a bent float arm.',
    'Calibrate again after every winter, after work on the quay, and whenever the staff has been moved.',
  ]),
  topic('predictions', 'How predictions are made', [
    'The tide at a place is the sum of a few dozen waves whose periods follow from the motions of moon and sun. Tidewatch fits the height and the phase of each wave to at least twenty-nine days of readings.',
    'With a year of readings thirty-seven constituents can be told apart. With a month only the strongest nine are fitted and the rest are taken from the reference station.',
    'Wind and air pressure raise or lower the water against the prediction. The difference is shown as the surge and is not part of the fit.',
  ]),
  topic('alarms', 'Alarms', [
    'An alarm watches one quantity: the height, the surge, or the speed of change. It fires when the value has been above its limit for three readings in a row and clears when it has been below for ten.',
    'Alarms may ring a bell, switch a relay or send a letter. The log keeps the moment, the value and the person who acknowledged it.',
    'Test each alarm once a month with <code>tidewatch alarm --test</code>; a relay that is never switched sticks when it is needed.',
  ]),
  topic('exports', 'Exporting readings', [
    'Readings are exported as comma-separated text, one row for each hour with the mean, the least and the greatest height, or one row for each reading when the option <code>--raw</code> is given.',
    'Times are in Coordinated Universal Time. Harbours that keep summer time should convert on display, never in the archive, or one hour each autumn will be stored twice.',
    'Hydrographic offices accept the export as it is. Add the position and the datum in the heading of the file.',
  ]),
  topic('datum', 'Choosing a datum', [
    'A height means nothing without the level it is counted from. Charts use the lowest astronomical tide, land surveys use mean sea level, and harbour walls often carry a zero of their own.',
    'Set <code>datum</code> to the one your users expect and write the difference to the others into the notes, so that a stranger can convert.',
    'When the datum changes, old readings are not rewritten. The archive records from which day each datum holds.',
  ]),
  topic('network', 'Sharing readings with other harbours', [
    'Two stations that trust each other may exchange readings every minute. Each signs its messages with a key that is read aloud over the telephone once.',
    'A message that arrives late is stored under the time at which it was measured. A message that arrives twice is stored once.',
    'When the line is down, readings wait in a queue for up to ninety days and are sent oldest first.',
  ]),
  topic('storage', 'How readings are stored', [
    'Each day is one file of fixed-size rows. The file of the current day is only ever appended to, so that a power cut loses at most the row being written.',
    'At midnight the file is closed, a checksum is added and a copy is placed in the second folder, which should be on another disk.',
    'The command <code>tidewatch verify</code> reads every file, compares the checksums and lists the days that cannot be trusted.',
  ]),
  topic('upgrade', 'Upgrading from version two', [
    'Version three reads the files of version two without conversion and writes its own format from the next midnight on.',
    'The alarm settings have moved into sections of their own. The upgrade command rewrites the settings file and leaves the old one beside it.',
    'Scripts that parsed the output of the status command should switch to its machine-readable form, which will not change again.',
  ]),
  topic('troubleshooting', 'When something goes wrong', [
    'If the height does not change for an hour, the float is stuck or the well is silted up. Lift the float by hand and watch the reading.',
    'If heights jump by exactly one metre, the gauge has lost count of its drum. Calibrate it against the staff and look for a worn perforated tape.',
    'If the clock of the machine is wrong, every prediction is wrong with it. Run a time service and check it from the status page.',
  ]),
];

function topic(slug: string, title: string, lines: readonly string[]): Topic {
  return { slug, title, lines };
}

const MENU = menu([['/', 'Tidewatch'], ...TOPICS.slice(0, 6).map((t) => [`/manual/${t.slug}.html`, t.title] as const)]);

/** Pages of the manual at `path`, for the original site and for its mirror. */
export function manualPage(path: string, host: string): string | undefined {
  const found = TOPICS.find((t) => path === `/manual/${t.slug}.html`);
  if (found === undefined) return undefined;
  const i = TOPICS.indexOf(found);
  const next = TOPICS[i + 1];
  return page({
    title: `${found.title} — Tidewatch manual`,
    navigation: MENU,
    main: `<h1>${found.title}</h1>${paragraphs(found.lines)}${next === undefined ? '' : `<p>Next: <a href="/manual/${next.slug}.html">${next.title}</a></p>`}`,
    footer: `Tidewatch manual at ${host}`,
  }).body;
}

export const docs: DemoSite = {
  host: 'tidewatch.example',
  about: 'documentation',
  answer({ path, origin }) {
    if (path === '/robots.txt') return text(`User-agent: *\nDisallow: /private/\nSitemap: ${origin()}/sitemap.xml\n`);
    if (path === '/sitemap.xml') {
      const locations = TOPICS.map((t) => `<url><loc>${origin()}/manual/${t.slug}.html</loc></url>`).join('');
      return {
        status: 200,
        headers: { 'content-type': 'application/xml' },
        body: `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${locations}</urlset>`,
      };
    }
    const manual = manualPage(path, this.host);
    if (manual !== undefined) return { status: 200, body: manual };
    if (path !== '/') return notFound();
    return page({
      title: 'Tidewatch: a tide clock for small harbours',
      navigation: MENU,
      main: `<h1>Tidewatch</h1><p>Tidewatch reads a tide gauge, stores what it reads and predicts the water of the coming days. It was written for harbours that have one person, one gauge and no computer department.</p>
<ul>${TOPICS.map((t) => `<li><a href="/manual/${t.slug}.html">${t.title}</a></li>`).join('')}</ul>
<p>Drafts are kept under <a href="/private/notes.html">private notes</a>. A copy of the manual is kept at <a href="${origin('tidewatch-mirror.example')}/">the mirror</a>. Users talk about it on <a href="${origin('quayside-notes.example')}/">a blog</a>.</p>`,
    });
  },
};

/** The same manual under another name, with another footer and one sentence more: near duplicates. */
export const mirror: DemoSite = {
  host: 'tidewatch-mirror.example',
  about: 'near-duplicate mirror of the documentation',
  answer({ path }) {
    const manual = manualPage(path, this.host);
    if (manual !== undefined) {
      return { status: 200, body: manual.replace('</main>', '<p>This copy is refreshed every Sunday.</p></main>') };
    }
    if (path !== '/') return notFound();
    return page({
      title: 'Mirror of the Tidewatch manual',
      navigation: MENU,
      main: `<h1>Mirror</h1><p>This server keeps a copy of the manual of Tidewatch for readers with a slow line to the original.</p><ul>${TOPICS.map((t) => `<li><a href="/manual/${t.slug}.html">${t.title}</a></li>`).join('')}</ul>`,
    });
  },
};
