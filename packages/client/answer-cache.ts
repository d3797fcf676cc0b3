/** An answer that the service can confirm by its tag. */
interface CachedAnswer {
  /** The value of `ETag`. */
  tag: string;
  /** The body, as JSON. */
  text: string;
}

/** Keeps the latest answers, up to a total number of characters. */
export class AnswerCache {
  readonly #maxCharacters: number;
  /** The answers, by address. A Map keeps the order of insertion, so its first entry is the least recently used one. */
  readonly #answers = new Map<string, CachedAnswer>();
  #characters = 0;

  constructor(maxCharacters: number) {
    this.#maxCharacters = maxCharacters;
  }

  /** Returns the answer for an address, and marks it as used. */
  get(address: string): CachedAnswer | undefined {
    const answer = this.#answers.get(address);
    if (answer) {
      this.#answers.delete(address);
      this.#answers.set(address, answer);
    }
    return answer;
  }

  /** Stores an answer, and drops the least recently used ones if necessary. An answer above the limit is not stored. */
  set(address: string, answer: CachedAnswer): void {
    this.#delete(address);
    if (answer.text.length > this.#maxCharacters) return;
    this.#answers.set(address, answer);
    this.#characters += answer.text.length;
    for (const oldest of this.#answers.keys()) {
      if (this.#characters <= this.#maxCharacters) break;
      this.#delete(oldest);
    }
  }

  #delete(address: string): void {
    this.#characters -= this.#answers.get(address)?.text.length ?? 0;
    this.#answers.delete(address);
  }
}
