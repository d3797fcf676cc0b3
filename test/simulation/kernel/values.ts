/** Reads a statement's values as the given types. Throws if a value has a different type. */
export class Values {
  readonly #values: readonly unknown[];

  constructor(values: readonly unknown[]) {
    this.#values = values;
  }

  number(index: number): number {
    return toNumber(this.#values[index]);
  }

  text(index: number): string {
    return toText(this.#values[index]);
  }

  boolean(index: number): boolean {
    return toBoolean(this.#values[index]);
  }

  bytes(index: number): Buffer {
    const value = this.#values[index];
    if (!Buffer.isBuffer(value)) throw new TypeError(`The value ${index} must be bytes.`);
    return value;
  }

  numbers(index: number): number[] {
    return this.#list(index).map(toNumber);
  }

  texts(index: number): string[] {
    return this.#list(index).map(toText);
  }

  numbersOrNull(index: number): (number | null)[] {
    return this.#list(index).map((value) => orNull(value, toNumber));
  }

  textsOrNull(index: number): (string | null)[] {
    return this.#list(index).map((value) => orNull(value, toText));
  }

  buffersOrNull(index: number): (Buffer | null)[] {
    return this.#list(index).map((value) => (Buffer.isBuffer(value) ? value : null));
  }

  #list(index: number): unknown[] {
    const value = this.#values[index];
    if (!Array.isArray(value)) throw new TypeError(`The value ${index} must be a list.`);
    return value;
  }
}

function orNull<Value>(value: unknown, parse: (value: unknown) => Value): Value | null {
  return value === null || value === undefined ? null : parse(value);
}

function toNumber(value: unknown): number {
  if (typeof value !== 'number') throw new TypeError(`${String(value)} must be a number.`);
  return value;
}

function toText(value: unknown): string {
  if (typeof value !== 'string') throw new TypeError(`${String(value)} must be a text.`);
  return value;
}

function toBoolean(value: unknown): boolean {
  if (typeof value !== 'boolean') throw new TypeError(`${String(value)} must be a boolean.`);
  return value;
}
