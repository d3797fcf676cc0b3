/** Returns the JSON pointer of every value inside `value`, such as `/events/0/event_type`, parents before children. */
export function pointersOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, child]) =>
    ['', ...pointersOf(child)].map((pointer) => `/${name}${pointer}`),
  );
}

/** Returns a copy of a record with another value at a JSON pointer, or without the field if the value is undefined. */
export function changed(record: object, pointer: string, value: unknown): object {
  const copy: object = structuredClone(record);
  const names = pointer.slice(1).split('/');
  const last = names.pop() ?? '';
  const parent = names.reduce<object>((inner, name) => Object(Reflect.get(inner, name)), copy);
  if (value === undefined) Reflect.deleteProperty(parent, last);
  else Reflect.set(parent, last, value);
  return copy;
}
