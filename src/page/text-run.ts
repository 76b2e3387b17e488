const SPACE = 0x20;
const NO_BREAK_SPACE = 0xa0;

/** Text growing piece by piece with its white space collapsed (HTML white space and no-break spaces become one space). */
export class TextRun {
  text = '';
  linkLength = 0;
  strongLength = 0;
  private endsInSpace = true;

  get empty(): boolean {
    return this.text.length === 0;
  }

  /** Appends `source` from `start` to `end`; returns the units added. */
  append(source: string, start: number, end: number): number {
    const before = this.text.length;
    let from = start;
    let lastWasSpace = this.endsInSpace;
    for (let at = start; at < end; at++) {
      const unit = source.charCodeAt(at);
      if (unit > SPACE && unit !== NO_BREAK_SPACE) {
        lastWasSpace = false;
        continue;
      }
      if (unit === SPACE && !lastWasSpace) {
        lastWasSpace = true;
        continue;
      }
      if (at > from) this.text += source.slice(from, at);
      if (!lastWasSpace) this.text += ' ';
      lastWasSpace = true;
      from = at + 1;
    }
    if (end > from) this.text += source.slice(from, end);
    this.endsInSpace = lastWasSpace;
    return this.text.length - before;
  }

  space(): void {
    if (this.endsInSpace) return;
    this.text += ' ';
    this.endsInSpace = true;
  }

  /** The text without the space at its end, and an empty run again. */
  take(): { text: string; linkLength: number; strongLength: number } {
    const text = this.endsInSpace && this.text.length > 0 ? this.text.slice(0, -1) : this.text;
    const taken = {
      text,
      linkLength: Math.min(this.linkLength, text.length),
      strongLength: Math.min(this.strongLength, text.length),
    };
    this.text = '';
    this.linkLength = 0;
    this.strongLength = 0;
    this.endsInSpace = true;
    return taken;
  }
}

/** `end`, or one less where it would part a surrogate pair of `source`. */
export function wholeEnd(source: string, end: number): number {
  const unit = source.charCodeAt(end - 1);
  return unit >= 0xd800 && unit < 0xdc00 ? end - 1 : end;
}

/** `text` with white space collapsed and trimmed. */
export function collapse(text: string): string {
  const run = new TextRun();
  run.append(text, 0, text.length);
  return run.take().text;
}
