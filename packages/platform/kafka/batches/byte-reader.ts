const EMPTY = Buffer.alloc(0);

/** Reads integers and byte arrays from a sequence of chunks. Requests a chunk only when it needs the bytes. */
export class ByteReader {
  readonly #chunks: AsyncIterator<Buffer>;
  #chunk: Buffer = EMPTY;
  #start = 0;
  /** The number of bytes that have been read or skipped. */
  at = 0;

  constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** Stops the chunk source. */
  async close(): Promise<void> {
    await this.#chunks.return?.();
  }

  /** Returns a view when one chunk contains all of the bytes, and a copy otherwise. */
  async take(bytes: number): Promise<Buffer> {
    if (bytes <= this.#chunk.length - this.#start) return this.#advance(bytes);
    const parts: Buffer[] = [];
    for (let rest = bytes; rest > 0; ) {
      await this.#fill();
      const part = this.#advance(Math.min(rest, this.#chunk.length - this.#start));
      parts.push(part);
      rest -= part.length;
    }
    return Buffer.concat(parts, bytes);
  }

  async skip(bytes: number): Promise<void> {
    for (let rest = bytes; rest > 0; ) {
      if (this.#start === this.#chunk.length) await this.#fill();
      rest -= this.#advance(Math.min(rest, this.#chunk.length - this.#start)).length;
    }
  }

  /** Reads a zigzag-encoded integer of variable length. A value above 2^53 loses its last digits. */
  async varint(): Promise<number> {
    let result = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      if (this.#start === this.#chunk.length) await this.#fill();
      const byte = this.#chunk[this.#start] ?? 0;
      this.#advance(1);
      result += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return result % 2 === 0 ? result / 2 : -(result + 1) / 2;
    }
    throw new Error(`The integer before byte ${this.at} has more than 10 bytes.`);
  }

  #advance(bytes: number): Buffer {
    const part = this.#chunk.subarray(this.#start, this.#start + bytes);
    this.#start += bytes;
    this.at += bytes;
    return part;
  }

  /**
   * Reads chunks until a byte is available. Callers first check whether this is needed, because each await takes time.
   */
  async #fill(): Promise<void> {
    while (this.#start === this.#chunk.length) {
      const { done, value } = await this.#chunks.next();
      if (done) throw new Error(`The bytes end at ${this.at}, before the end of the last record.`);
      this.#chunk = value;
      this.#start = 0;
    }
  }
}
