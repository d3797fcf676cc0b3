/** JSON.stringify writes -0 as 0, so only text that contains a value 0 can have lost a -0. */
const ZERO = /:0[,}\]]/;

/** Returns a value's JSON text, including the sign of each -0, so that JSON.parse returns every number unchanged. */
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
