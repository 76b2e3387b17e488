import { type Html, html } from './html.ts';

export interface LayoutOptions {
  readonly title: string;
  readonly section: 'search' | 'admin' | 'bot' | 'none';
  readonly body: Html;
  /** Scripts of /assets to load, deferred; pages work without them. */
  readonly scripts?: readonly string[];
}

/** The one page frame: every page of the server goes through it. */
export function layout(options: LayoutOptions): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${options.title}</title>
<link rel="stylesheet" href="/assets/winnow.css">
<link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
<link rel="search" type="application/opensearchdescription+xml" title="Winnow" href="/opensearch.xml">
${(options.scripts ?? []).map((name) => html`<script src="/assets/${name}" defer></script>`)}
</head>
<body class="section-${options.section}">
<a class="skip" href="#content">Skip to content</a>
${options.body}
<footer class="foot"><nav aria-label="Winnow">
<a href="/">Search</a> <a href="/admin">Admin</a> <a href="/bot">About the crawler</a> <a href="/api/v1/openapi.json">API</a>
</nav></footer>
</body>
</html>`.text;
}
