import { type CopyValue, copyText, packBytes, type Transaction, table, tableStatement } from '@milepost/postgres';

/** How rows are written whose last column is a text made here, such as finished JSON. */
interface RenderedRows<Row> {
  projection: string;
  key: readonly string[];
  /** All columns but the text: their type, and the value of a row. */
  columns: Readonly<Record<string, readonly [type: string, value: (row: Row) => CopyValue]>>;
  text: readonly [column: string, render: (row: Row) => string];
}

type Write<Row> = (transaction: Transaction, table: string, rows: readonly Row[]) => Promise<void>;

/**
 * Makes of a table's columns what inserts rows, by COPY, and what upserts them. The texts of an upsert go as one value, packed:
 * in an array of text every quote of their JSON would be escaped and unescaped again.
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
  // A row that is the same is left alone: writing it again would only bloat the table.
  const upsert = tableStatement(`${projection}:upsert`)`
    INSERT INTO ${table} AS stored (${all.join(', ')})
    SELECT ${names.join(', ')}, convert_from(substring($1::bytea FROM start FOR length), 'UTF8')
    FROM unnest($2::integer[], $3::integer[], ${types.join(', ')}) AS made (start, length, ${names.join(', ')})
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
