/** Bytes below which a piece is copied instead of kept: servers may send a body byte by byte. */
const SMALL_PIECE = 8 * 1024;
const BLOCK_BYTES = 64 * 1024;

/** Collects a body up to a limit. Its memory is near the body's length however small the pieces are. */
export class BodySink {
  readonly #limit: number;
  readonly #pieces: Buffer[] = [];
  #block: Buffer | undefined;
  #filled = 0;
  #length = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get length(): number {
    return this.#length;
  }

  /** Takes what fits; false when something did not. */
  push(piece: Buffer): boolean {
    const room = this.#limit - this.#length;
    const kept = piece.length > room ? piece.subarray(0, room) : piece;
    this.#length += kept.length;
    if (kept.length >= SMALL_PIECE) {
      this.#closeBlock();
      this.#pieces.push(kept);
    } else this.#copy(kept);
    return kept.length === piece.length;
  }

  /** The body in a buffer of its own: a kept response must not hold on to the large buffers that sockets read into. */
  take(): Buffer {
    this.#closeBlock();
    const body = Buffer.allocUnsafeSlow(this.#length);
    let offset = 0;
    for (const piece of this.#pieces.splice(0)) offset += piece.copy(body, offset);
    return body;
  }

  #copy(piece: Buffer): void {
    for (let done = 0; done < piece.length; ) {
      this.#block ??= Buffer.allocUnsafeSlow(BLOCK_BYTES);
      const copied = piece.copy(this.#block, this.#filled, done);
      done += copied;
      this.#filled += copied;
      if (this.#filled === BLOCK_BYTES) this.#closeBlock();
    }
  }

  #closeBlock(): void {
    if (this.#block !== undefined && this.#filled > 0) this.#pieces.push(this.#block.subarray(0, this.#filled));
    this.#block = undefined;
    this.#filled = 0;
  }
}
