/** HTML that is safe to send: made by {@link html} from templates of ours and escaped values. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Value = string | number | boolean | null | undefined | Html | readonly Value[];

/** Tagged template: every value is escaped unless it is {@link Html} already; false, null and undefined print nothing. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  let text = parts[0] ?? '';
  for (let i = 0; i < values.length; i++) text += render(values[i]) + (parts[i + 1] ?? '');
  return new Html(text);
}

function render(value: Value): string {
  if (value === null || value === undefined || value === false || value === true) return '';
  if (value instanceof Html) return value.text;
  if (Array.isArray(value)) return value.map(render).join('');
  return escapeHtml(String(value));
}

/**
 * C0 (without tab and the line ends) and C1 controls, and the marks that turn the direction of the text around them:
 * from a crawled page they could make a result show another address than its own.
 */
export const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** For element content and quoted attribute values: markup is escaped, {@link CONTROLS} are left out. */
export function escapeHtml(text: string): string {
  return text.replace(CONTROLS, '').replace(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** A URL from a crawled page for an href: anything but http and https leads nowhere. */
export function safeHref(url: string): string {
  return /^https?:\/\//i.test(url) ? url : '#';
}

/** `text` with the spans of `highlights` (UTF-16 offsets, ascending) in <mark>. */
export function highlighted(text: string, highlights: readonly (readonly [number, number])[]): Html {
  let at = 0;
  let out = '';
  for (const [from, to] of highlights) {
    if (from < at || to <= from) continue;
    out += `${escapeHtml(text.slice(at, from))}<mark>${escapeHtml(text.slice(from, to))}</mark>`;
    at = to;
  }
  return new Html(out + escapeHtml(text.slice(at)));
}
