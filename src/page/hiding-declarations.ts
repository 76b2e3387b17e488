/** Ways in which style hides text. The first two can be undone further down the tree. */
export const HIDES_VISIBILITY = 1;
export const HIDES_FONT = 2;
export const HIDES_DISPLAY = 4;
export const HIDES_OPACITY = 8;
export const HIDES_POSITION = 16;
export const HIDES_COLOUR = 32;
/** What descendants cannot show again. */
export const HIDES_ALL_BELOW = HIDES_DISPLAY | HIDES_OPACITY | HIDES_POSITION | HIDES_COLOUR;

export interface Hiding {
  /** HIDES_ bits that the declarations set. */
  readonly hides: number;
  /** HIDES_ bits that the declarations take back. */
  readonly shows: number;
}

export const NOTHING: Hiding = { hides: 0, shows: 0 };

const CANDIDATE = /display|visib|opacity|font|indent|position|margin|clip|overflow|colo/i;
/** Declarations of one block looked at. */
const MAX_DECLARATIONS = 100;
/** Pixels: farther out, text is meant not to be seen. */
const OFF_SCREEN = -999;
const PIXELS_PER_EM = 16;

/** What the declarations of one rule or style attribute say about visibility. */
export function readHiding(declarations: string): Hiding {
  if (!CANDIDATE.test(declarations)) return NOTHING;
  const style = parseDeclarations(declarations);
  let hides = 0;
  let shows = 0;
  const set = (bit: number, hidden: boolean | undefined): void => {
    if (hidden === true) hides |= bit;
    else if (hidden === false) shows |= bit;
  };
  set(
    HIDES_DISPLAY,
    mapped(style.get('display'), (value) => value === 'none'),
  );
  set(
    HIDES_VISIBILITY,
    mapped(style.get('visibility'), (value) => value === 'hidden' || value === 'collapse'),
  );
  set(
    HIDES_OPACITY,
    mapped(style.get('opacity'), (value) => Number.parseFloat(value) === 0),
  );
  set(HIDES_FONT, mapped(style.get('font-size'), isTinyFont));
  if (isOutOfSight(style)) hides |= HIDES_POSITION;
  if (isSameColour(style)) hides |= HIDES_COLOUR;
  return hides === 0 && shows === 0 ? NOTHING : { hides, shows };
}

function mapped(value: string | undefined, test: (value: string) => boolean): boolean | undefined {
  return value === undefined ? undefined : test(value);
}

function parseDeclarations(text: string): Map<string, string> {
  const style = new Map<string, string>();
  for (const declaration of text.split(';', MAX_DECLARATIONS)) {
    const colon = declaration.indexOf(':');
    if (colon < 0) continue;
    const name = declaration.slice(0, colon).trim().toLowerCase();
    if (name.length > 40) continue;
    const value = declaration
      .slice(colon + 1, colon + 120)
      .trim()
      .toLowerCase();
    style.set(name, value.replace(/\s*!\s*important\s*$/, ''));
  }
  return style;
}

function isTinyFont(value: string): boolean {
  const pixels = pixelsOf(value);
  return pixels !== undefined && pixels <= 1;
}

/** Pixels of a CSS length, roughly for relative units; undefined for anything else. */
function pixelsOf(value: string | undefined): number | undefined {
  const match = /^(-?(?:\d+\.?\d*|\.\d+))\s*(px|pt|em|rem|ex|ch|vw|vh|%|cm|mm|in|)$/.exec(value ?? '');
  if (match === null) return undefined;
  const number = Number(match[1]);
  switch (match[2]) {
    case 'em':
    case 'rem':
      return number * PIXELS_PER_EM;
    case 'ex':
    case 'ch':
      return (number * PIXELS_PER_EM) / 2;
    case 'pt':
      return (number * 4) / 3;
    case '%':
      return (number * PIXELS_PER_EM) / 100;
    case 'vw':
    case 'vh':
      return number * 10;
    case 'cm':
      return number * 38;
    case 'mm':
      return number * 3.8;
    case 'in':
      return number * 96;
    default:
      return number;
  }
}

function isFarOut(value: string | undefined): boolean {
  const pixels = pixelsOf(value);
  if (pixels === undefined) return false;
  return pixels <= OFF_SCREEN || (/%$/.test(value ?? '') && Number.parseFloat(value ?? '') <= -500);
}

function isOutOfSight(style: ReadonlyMap<string, string>): boolean {
  if (isFarOut(style.get('text-indent')) || isFarOut(style.get('margin-left')) || isFarOut(style.get('margin-top'))) {
    return true;
  }
  const position = style.get('position');
  if (position === 'absolute' || position === 'fixed') {
    for (const side of ['left', 'top', 'right', 'bottom']) if (isFarOut(style.get(side))) return true;
    if (/^rect\((?:\s*[01](?:px)?[\s,]*){4}\)$/.test(style.get('clip') ?? '')) return true;
  }
  if (/^(?:inset\(\s*(?:50|100)%|circle\(\s*0)/.test(style.get('clip-path') ?? '')) return true;
  if (style.get('overflow') !== 'hidden') return false;
  const height = pixelsOf(style.get('height') ?? style.get('max-height'));
  const width = pixelsOf(style.get('width') ?? style.get('max-width'));
  return (height !== undefined && height <= 1) || (width !== undefined && width <= 1);
}

function isSameColour(style: ReadonlyMap<string, string>): boolean {
  const colour = colourOf(style.get('color'));
  if (colour === undefined) return false;
  return colour === colourOf(style.get('background-color')) || colour === colourOf(style.get('background'));
}

const COLOUR_NAMES = new Map(
  Object.entries({ white: 'ffffff', black: '000000', red: 'ff0000', blue: '0000ff', yellow: 'ffff00', gray: '808080' }),
);

/** Six hexadecimal digits, or undefined for what is no plain opaque colour. */
function colourOf(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const named = COLOUR_NAMES.get(value);
  if (named !== undefined) return named;
  const hex = /^#([0-9a-f]{3}|[0-9a-f]{6})$/.exec(value)?.[1];
  if (hex !== undefined) return hex.length === 6 ? hex : hex.replace(/./g, '$&$&');
  const rgb = /^rgb\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\s*\)$/.exec(value);
  if (rgb === null) return undefined;
  return rgb
    .slice(1)
    .map((part) => Number(part).toString(16).padStart(2, '0'))
    .join('');
}
