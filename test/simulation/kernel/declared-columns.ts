import { declaredStatements, typesOf } from '@milepost/postgres';

type Columns = readonly (readonly [name: string, nullable: boolean])[];
const columnsByName = new Map<string, Columns>();

function columnsOf(name: string): Columns {
  const known = columnsByName.get(name);
  if (known !== undefined) return known;
  const declared = declaredStatements().get(name);
  if (declared === undefined || typeof declared === 'function') throw new Error(`No statement is named "${name}".`);
  const columns = Object.entries({ ...declared.columns }).map(
    ([column, kind]) => [column, typesOf(kind).nullable] as const,
  );
  columnsByName.set(name, columns);
  return columns;
}

/** Returns rows with the columns that a statement declares. Throws if a row has no value for a non-nullable column. */
export function withDeclaredColumns(name: string, rows: readonly object[]): object[] {
  const columns = columnsOf(name);
  return rows.map((row) => {
    const declared: Record<string, unknown> = {};
    for (const [column, nullable] of columns) {
      const value: unknown = Reflect.get(row, column);
      if (value === undefined && !nullable) {
        throw new Error(`The simulation returns no column "${column}" of "${name}".`);
      }
      declared[column] = value ?? null;
    }
    return declared;
  });
}
