import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Pages on errors, default pages and expired domains, written by us: they use the words and are none of it. */
const PAGES: Readonly<Record<string, { readonly title: string; readonly body: string }>> = {
  'what-404-means.html': {
    title: 'What "404 Not Found" means and what to do about it',
    body: `<h1>What "404 Not Found" means</h1>
<p>When a browser shows "404 Not Found" it has reached the server, but the server has nothing at the address that was
asked for. That is different from a server that cannot be reached at all, for which the browser makes a page of its
own.</p>
<p>The usual causes are a mistyped address, an article that was moved without a redirect, and a link that was copied
with the full stop of the sentence. On our own site most of them came from a folder we renamed in spring: for a month the
log showed the same forty addresses each night, asked for by feed readers that nobody looks after any more.</p>
<h2>If you run the site</h2>
<p>Look at the log once a week and sort the missing addresses by how often they were asked for. Send a redirect for those
that have moved, answer 410 for those that are gone for good, and leave the rest alone. Do not send every missing
address to the home page: readers do not see why they landed there, and search engines treat it as an error
anyway.</p>`,
  },
  'writing-error-pages.html': {
    title: 'Writing a helpful error page',
    body: `<h1>Writing a helpful error page</h1>
<p>The page you are looking for could not be found: nobody likes to read that sentence, and yet it is on almost every
site. We asked thirty readers of the library's catalogue what they did next. Nineteen pressed the back button, six used
the search box and five wrote to the desk.</p>
<p>So the new page says in one line what happened, offers the search with the words of the address already filled in,
and names a person. It does not apologise twice and it has no picture of a sad robot. Since then the letters to the desk
have become fewer, and those that come say which book was meant.</p>
<ul><li>Keep the status 404, whatever the page looks like.</li><li>Do not reload or redirect by itself.</li>
<li>Show the menu of the site: it is a page like the others.</li></ul>`,
  },
  'first-web-server.html': {
    title: 'Your first web server: from "It works!" to your own page',
    body: `<h1>From "It works!" to your own page</h1>
<p>After installing the package, open the address of the machine. You see the default page of the server, which says that
it works and where its files lie. This course replaces it in three steps.</p>
<h2>1. Find the document root</h2>
<p>On Debian it is a folder below /var/www. Other systems keep it elsewhere; the configuration names it, and the default
page mostly does as well. Make a copy of the file that is there before you change it.</p>
<h2>2. Write a page</h2>
<p>Put a title, a heading and a paragraph into index.html. Reload the browser. If the old page is still shown, another
file comes first in the list of index files, or the browser shows what it remembered.</p>
<h2>3. Give it a name</h2>
<p>A virtual host ties a name to a folder. Write one for your name, enable it, test the configuration and reload the
server. The default host stays for everything that has no name of its own.</p>`,
  },
  'opening-hours.html': {
    title: 'Opening hours of the repair café',
    body: `<h1>Opening hours</h1>
<p>The repair café is open on the first Saturday of each month from ten to four, in the hall behind the station. Bring
the broken thing, its charger and, if you still have it, the manual. There is coffee and cake. In August we are
closed.</p>`,
  },
  'moving-a-domain.html': {
    title: 'How we moved our domain to another registrar',
    body: `<h1>How we moved our domain to another registrar</h1>
<p>For three days in March our address showed a page of the old registrar that said the domain was parked and offered it
for sale, with advertisements for garden furniture below. It had not expired: the transfer had reset the name servers to
those of the registrar, and nobody had written down the old ones.</p>
<p>If you move a domain, first lower the lifetime of its records, copy the zone to the new registrar and compare both
answers. Only then unlock it and ask for the transfer code. Keep the old contract until the new one has answered for a
week. Our mail was lost on one of the days; the web pages came back within an hour after we had set the name servers.</p>`,
  },
  'status-codes.html': {
    title: 'Status codes our service answers with',
    body: `<h1>Status codes of the measuring service</h1>
<p>Every answer of the service carries a status of HTTP and a body in JSON. Clients should look at the status first.</p>
<table><tr><th>Status</th><th>When</th><th>What a client should do</th></tr>
<tr><td>200</td><td>The readings follow.</td><td>Store them under the time in the body.</td></tr>
<tr><td>400 Bad Request</td><td>The station or the span of time cannot be read.</td><td>Correct the query; trying again is of no use.</td></tr>
<tr><td>403 Forbidden</td><td>The key does not belong to this station.</td><td>Ask the operator of the station for a key.</td></tr>
<tr><td>404 Not Found</td><td>There is no station of that number, or it has been taken down.</td><td>Read the list of stations anew.</td></tr>
<tr><td>429 Too Many Requests</td><td>More than ten queries a minute.</td><td>Wait as long as the header says.</td></tr>
<tr><td>503 Service Unavailable</td><td>The store is being compacted, mostly at four in the morning.</td><td>Try again after a minute.</td></tr></table>`,
  },
};

export function writeHonestPages(folder: string): void {
  mkdirSync(folder);
  for (const [name, page] of Object.entries(PAGES)) writeFileSync(join(folder, name), honestPage(page));
}

function honestPage({ title, body }: { readonly title: string; readonly body: string }): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title.replaceAll('"', '&quot;')}</title></head>
<body><main>${body}</main></body></html>
`;
}
