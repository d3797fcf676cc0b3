/** -0 is spelled 0 by JSON.stringify: text without it has nothing to mend. */
const ZERO = /:0[,}\]]/;

/** JSON.stringify of a value made of JSON, but for -0, which keeps its sign, so that every number is parsed back as it was. */
export function exactJson(value: unknown): string {
  const json = JSON.stringify(value);
  return ZERO.test(json) ? spell(value) : json;
}

function spell(value: unknown): string {
  if (Object.is(value, -0)) return '-0';
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(spell).join(',')}]`;
  const members = Object.entries(value).filter(([, field]) => field !== undefined);
  return `{${members.map(([name, field]) => `${JSON.stringify(name)}:${spell(field)}`).join(',')}}`;
}
