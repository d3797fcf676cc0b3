/** The bytes end before the announced length. */
class EndOfBytesError extends Error {
  override name = 'EndOfBytesError';

  constructor(at: number) {
    super(`The bytes end at ${at}, before the last record does.`);
  }
}

const EMPTY = Buffer.alloc(0);

/** Reads integers and byte arrays from a sequence of chunks. It asks for a chunk only when it needs the bytes. */
export class ByteReader {
  readonly #chunks: AsyncIterator<Buffer>;
  #chunk: Buffer = EMPTY;
  #start = 0;
  /** The number of bytes that were read or skipped. */
  at = 0;

  constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** Stops the source of the chunks. */
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
   * Reads chunks until at least one byte is available. Callers first check whether they need it, because each await
   * takes time.
   */
  async #fill(): Promise<void> {
    while (this.#start === this.#chunk.length) {
      const { done, value } = await this.#chunks.next();
      if (done) throw new EndOfBytesError(this.at);
      this.#chunk = value;
      this.#start = 0;
    }
  }
}
