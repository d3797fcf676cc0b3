import type { Pool } from '@milepost/postgres';

/** Lists every table in every schema, so that new tables are searched automatically. */
const TABLES = `
  SELECT format('%I.%I', nspname, relname) AS name FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
  WHERE relkind IN ('r', 'p', 'm') AND nspname NOT IN ('pg_catalog', 'information_schema') AND nspname NOT LIKE 'pg_toast%'
  ORDER BY 1`;

/** Returns the forms in which a column may contain a string: plain, JSON, JSON in JSON, ASCII, URL, base64 or SQL. */
function spellingsOf(text: string): string[] {
  const json = JSON.stringify(text).slice(1, -1);
  const percent = encodeURIComponent(text);
  const bytes = Buffer.from(text);
  // Three bytes become four characters. Characters that also depend on adjacent bytes are omitted.
  const base64 = [0, 1, 2].map((skipped) => {
    const whole = bytes.subarray(skipped, skipped + Math.floor((bytes.byteLength - skipped) / 3) * 3);
    return whole.toString('base64');
  });
  const ascii = json.replaceAll(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const spellings = [
    text,
    json,
    JSON.stringify(json).slice(1, -1),
    ascii,
    percent,
    percent.toLowerCase(),
    text.replaceAll('"', '""'),
    text.replaceAll("'", "''"),
    ...base64,
    ...base64.map((each) => each.replaceAll('+', '-').replaceAll('/', '_')),
  ];
  // For a short string, base64 forms may be empty.
  return [...new Set(spellings)].filter((spelling) => spelling !== '');
}

function* leavesOf(value: unknown, path: string): Generator<{ path: string; text: string }> {
  if (typeof value === 'string' || typeof value === 'number') yield { path, text: String(value) };
  if (typeof value !== 'object' || value === null) return;
  for (const [name, each] of Object.entries(value)) {
    yield { path, text: name };
    yield* leavesOf(each, `${path}.${name}`);
  }
}

/**
 * Finds the places where the database contains one of the strings, whether in text, numbers, JSON, arrays or bytes.
 * Returns each place as `schema.table.column: text`.
 *
 * @param exceptRows matches the JSON of rows that may contain the strings
 */
export async function findEverywhere(owner: Pool, texts: readonly string[], exceptRows?: RegExp): Promise<string[]> {
  const needles = texts.flatMap((text) => spellingsOf(text).map((spelling) => ({ text, spelling })));
  const found = new Set<string>();
  const { rows: tables } = await owner.query<{ name: string }>(TABLES);
  for (const { name } of tables) {
    const { rows } = await owner.query<{ row: object }>(`SELECT to_jsonb(content) AS row FROM ${name} content`);
    for (const { row } of rows) {
      if (exceptRows?.test(JSON.stringify(row))) continue;
      for (const leaf of leavesOf(row, name)) {
        // PostgreSQL returns bytes as hexadecimal digits.
        const bytes = leaf.text.startsWith('\\x') ? Buffer.from(leaf.text.slice(2), 'hex') : null;
        for (const { text, spelling } of needles) {
          if (leaf.text.includes(spelling) || bytes?.includes(spelling)) found.add(`${leaf.path}: ${text}`);
        }
      }
    }
  }
  return [...found].sort();
}
