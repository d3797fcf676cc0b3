import type { Transaction } from '@milepost/postgres';
import { type CopyValue, copyText } from '@milepost/postgres/copy-rows';
import { packBytes } from '@milepost/postgres/packed-bytes';
import { table, tableStatement } from '@milepost/postgres/table-statement';

/** Describes rows whose last column is text rendered by this process, such as ready-made JSON. */
interface RenderedRows<Row> {
  projection: string;
  key: readonly string[];
  /** The type and the value of all columns except the text. */
  columns: Readonly<Record<string, readonly [type: string, value: (row: Row) => CopyValue]>>;
  text: readonly [column: string, render: (row: Row) => string];
}

type Write<Row> = (transaction: Transaction, table: string, rows: readonly Row[]) => Promise<void>;

/**
 * Returns a function that inserts rows into a table with COPY, and a function that upserts them. An upsert packs all
 * the strings into one value, because every quote in the JSON would have to be escaped and unescaped in a text array.
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
  // Skips equal rows, because updating them would only bloat the table.
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
 * SQL for a table whose rows are updated often. If a row's page has free space, an update writes the new version to the
 * same page (a heap-only tuple), and the next update reuses the space of the old version. Without free space, the new
 * version goes to another page, and each index gets a new entry. Most pages contain past days, which rarely change and
 * should stay dense. The SQL therefore runs only after a replay has filled the table.
 */
export const withFillFactor = (table: string) => `ALTER TABLE ${table} SET (fillfactor = 55);`;
