/** A stored response, with the tag that lets the service recognize an unchanged response. */
interface CachedAnswer {
  /** The value of `ETag`. */
  tag: string;
  /** The body, as JSON. */
  text: string;
}

/** Keeps the most recently used responses, up to a total number of characters. */
export class AnswerCache {
  readonly #maxCharacters: number;
  /** The responses by address. `get` reinserts a response, so the first entry is the least recently used one. */
  readonly #answers = new Map<string, CachedAnswer>();
  #characters = 0;

  constructor(maxCharacters: number) {
    this.#maxCharacters = maxCharacters;
  }

  /** Returns the response stored for an address and marks it as used. */
  get(address: string): CachedAnswer | undefined {
    const answer = this.#answers.get(address);
    if (answer) {
      this.#answers.delete(address);
      this.#answers.set(address, answer);
    }
    return answer;
  }

  /** Stores a response, unless it alone exceeds the limit. Drops the least recently used responses to make room. */
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
