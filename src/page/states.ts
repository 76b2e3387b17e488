/** Bits that open elements hand down to what stands inside them. */
export const IN_LINK = 1;
export const IN_STRONG = 2;
/** Hidden for good: nothing inside can be seen. */
export const IN_HIDDEN = 4;
/** Invisible, or in a tiny font: an element inside may take it back. */
export const IN_INVISIBLE = 8;
export const IN_TINY = 16;
export const IN_NOSCRIPT = 32;
/** Text is not collected. */
export const IN_SKIPPED = 64;
export const IN_CODE = 128;
/** SVG or MathML: self-closing tags are honoured. */
export const IN_FOREIGN = 256;
/** Nothing inside a template is part of the page. */
export const IN_TEMPLATE = 512;
export const IN_DISABLED = 1024;
/** Heading level, three bits. */
export const HEADING_SHIFT = 12;
export const HEADING_MASK = 7 << HEADING_SHIFT;

export const UNSEEN = IN_HIDDEN | IN_INVISIBLE | IN_TINY;
