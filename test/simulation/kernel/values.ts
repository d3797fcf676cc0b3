export type Values = ReturnType<typeof readValues>;

/**
 * Returns functions that read one of a statement's values as a type. A function throws if the value has a different
 * type.
 */
export function readValues(values: readonly unknown[]) {
  const list = (index: number): unknown[] => {
    const value = values[index];
    if (!Array.isArray(value)) throw new TypeError(`The value ${index} must be a list.`);
    return value;
  };
  return {
    number: (index: number) => toNumber(values[index]),
    text: (index: number) => toText(values[index]),
    boolean: (index: number) => toBoolean(values[index]),
    bytes: (index: number) => {
      const value = values[index];
      if (!Buffer.isBuffer(value)) throw new TypeError(`The value ${index} must be bytes.`);
      return value;
    },
    numbers: (index: number) => list(index).map(toNumber),
    texts: (index: number) => list(index).map(toText),
    numbersOrNull: (index: number) => list(index).map((value) => orNull(value, toNumber)),
    textsOrNull: (index: number) => list(index).map((value) => orNull(value, toText)),
    buffersOrNull: (index: number) => list(index).map((value) => (Buffer.isBuffer(value) ? value : null)),
  };
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
