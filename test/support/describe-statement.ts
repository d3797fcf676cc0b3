import { columnFaults, type statement, typesOf } from '@milepost/postgres';
import type { ClientBase, Connection, FieldDef } from 'pg';

type Statement = ReturnType<ReturnType<typeof statement>>;

/**
 * Asks PostgreSQL for a statement's columns without running it. Throws PostgreSQL's error if the statement is invalid.
 */
async function describeText(client: ClientBase, text: string): Promise<FieldDef[]> {
  const { promise, resolve, reject } = Promise.withResolvers<FieldDef[]>();
  let columns: FieldDef[] = [];
  client.query({
    submit(connection: Connection) {
      connection.parse({ name: '', text, types: [] }, true);
      connection.describe({ type: 'S', name: '' }, true);
      connection.sync();
    },
    handleRowDescription: ({ fields }: { fields: FieldDef[] }) => {
      columns = fields;
    },
    handleReadyForQuery: () => resolve(columns),
    handleError: reject,
  });
  return await promise;
}

/** Whether a result column comes from a nullable column of a table. */
async function isNullableInTable(client: ClientBase, { tableID, columnID }: FieldDef): Promise<boolean> {
  const { rowCount } = await client.query(
    `SELECT FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
     WHERE attrelid = $1 AND attnum = $2 AND relkind = 'r' AND NOT attnotnull`,
    [tableID, columnID],
  );
  return rowCount === 1;
}

/**
 * Lists, as sentences, the differences between the columns declared by a statement and those reported by PostgreSQL.
 */
export async function statementFaults(client: ClientBase, { name, text, columns }: Statement): Promise<string[]> {
  try {
    const found = await describeText(client, text);
    const faults = columnFaults(columns, found);
    for (const column of found) {
      const kind = columns?.[column.name];
      if (kind !== undefined && !typesOf(kind).nullable && (await isNullableInTable(client, column))) {
        faults.push(`${column.name} may be null`);
      }
    }
    return faults.map((fault) => `${name}: ${fault}`);
  } catch (error) {
    return [`${name}: ${error}`];
  }
}
