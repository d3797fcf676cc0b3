import { type CopyValue, copyText, packBytes, type Transaction, table, tableStatement } from '@milepost/postgres';

/** Describes rows whose last column is a text rendered in this process, such as finished JSON. */
interface RenderedRows<Row> {
  projection: string;
  key: readonly string[];
  /** The type and the value of all columns except the text. */
  columns: Readonly<Record<string, readonly [type: string, value: (row: Row) => CopyValue]>>;
  text: readonly [column: string, render: (row: Row) => string];
}

type Write<Row> = (transaction: Transaction, table: string, rows: readonly Row[]) => Promise<void>;

/**
 * Returns two functions: one inserts rows into a table with COPY, and the other upserts them. An upsert sends all texts
 * as one packed value: an array of text would escape and unescape every quote of their JSON.
 */
export function renderedRows<Row>({ projection, key, columns, text: [text, render] }: RenderedRows<Row>): {
  insert: Write<Row>;
  upsert: Write<Row>;
} {
  const names = Object.keys(columns);
  const values = Object.values(columns).map(([, value]) => value);
  const all = [...names, text];
  const types = Object.values(columns).map(([type], place) => `$${place + 4}::${type}[]`);
  const changeable = all.filter((name) => !key.includes(name));
  // Do not update an equal row, because that would only bloat the table.
  const upsert = tableStatement(`${projection}:upsert`)`
    INSERT INTO ${table} AS stored (${all.join(', ')})
    SELECT ${names.join(', ')}, convert_from(substring($1::bytea FROM start FOR length), 'UTF8')
    FROM unnest($2::integer[], $3::integer[], ${types.join(', ')}) AS rendered (start, length, ${names.join(', ')})
    ON CONFLICT (${key.join(', ')}) DO UPDATE SET ${changeable.map((name) => `${name} = excluded.${name}`).join(', ')}
    WHERE ${changeable.map((name) => `stored.${name} IS DISTINCT FROM excluded.${name}`).join(' OR ')}`;
  return {
    async insert(transaction, table, rows) {
      if (rows.length === 0) return;
      await transaction.copy(`${table} (${all.join(', ')})`, copyText(rows, [...values, render]));
    },
    async upsert(transaction, table, rows) {
      if (rows.length === 0) return;
      const { bytes, starts, lengths } = packBytes(rows.map((row) => Buffer.from(render(row))));
      const inColumns = values.map((value) => rows.map(value));
      await transaction.execute(upsert(table), [bytes, starts, lengths, ...inColumns]);
    },
  };
}

/**
 * SQL for a table whose rows are updated often. If its page has free space, the new version of a row stays in the page
 * (a heap-only tuple). The next version reuses the space of the old one. Without free space, the new version goes to
 * another page, and each index gets an entry. The SQL runs after a replay has filled the table, so that the pages of
 * past days, which are most of the pages, stay dense.
 */
export const withFillFactor = (table: string) => `ALTER TABLE ${table} SET (fillfactor = 55);`;
