/** JSON.stringify writes -0 as 0. If the text has no 0, there is no -0 to restore. */
const ZERO = /:0[,}\]]/;

/** The JSON text of a value, in which -0 keeps its sign, so that JSON.parse returns every number as it was. */
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
