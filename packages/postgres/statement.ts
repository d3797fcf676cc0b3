import { type FieldDef, type Pool, type PoolClient, types } from 'pg';

/**
 * A column of the rows that a statement returns: the types that it may have (OIDs of `pg_type`, read as `columnTypes` says).
 * A test compares all columns with what the database says of them, so at run time nobody looks at them.
 */
export interface Column<Value> {
  readonly types: readonly number[];
  readonly nullable: boolean;
  /** For the compiler alone: never set. */
  readonly value?: Value;
}

export type Columns<Row> = { readonly [Name in keyof Row]: Column<Row[Name]> };

/** A statement prepared once per connection under its name. The type of its rows follows from its columns. */
export interface Statement<Row extends object = object> {
  readonly name: string;
  readonly text: string;
  readonly columns: Columns<Row> | undefined;
}

/** A statement on a table that has a name per generation, and is prepared once for each of them. */
type TableStatement<Row extends object = object> = (table: string) => Statement<Row>;

/** The rows of a statement, or those with such columns. */
export type RowOf<Declared> = Declared extends Statement<infer Row> | TableStatement<infer Row>
  ? Row
  : { [Name in keyof Declared]: Declared[Name] extends Column<infer Value> ? Value : never };

function column<Value>(...types: number[]): Column<Value> {
  return { types, nullable: false };
}

export const text = column<string>(25, 1043);
/** A text of which the table, or the statement, allows but some. */
export const textOf = <Value extends string>() => column<Value>(25);
/** Any type of numbers. */
export const number = column<number>(20, 21, 23, 700, 701, 1700);
export const boolean = column<boolean>(16);
/** `YYYY-MM-DD`. */
export const date = column<string>(1082);
export const timestamp = column<Date>(1184);
export const bytes = column<Buffer>(17);
export const json = <Value>() => column<Value>(114, 3802);
export const textArray = column<string[]>(1009);

/** The column, which may be null as well. */
export function nullable<Value>(of: Column<Value>): Column<Value | null> {
  return { types: of.types, nullable: true };
}

/** The column, which its table lets be null: the statement leaves such rows out. */
export function present<Value>(of: Column<Value>): Column<Value> {
  return { types: of.types, nullable: true };
}

/** Several columns of one type. */
export function columns<Name extends string, Value>(of: Column<Value>, ...names: Name[]): Columns<Record<Name, Value>>;
export function columns(of: Column<unknown>, ...names: string[]) {
  return Object.fromEntries(names.map((name) => [name, of]));
}

const BIGINT = 20;
const NUMERIC = 1700;
const DATE = 1082;

/**
 * How columns become JavaScript values. Positions, offsets and epoch milliseconds stay below 2^53; numerics are decimal
 * texts of doubles (or their sums), so the nearest double is the number that went in; dates stay `YYYY-MM-DD`, because
 * a `Date` would drag the local time zone in.
 */
export const columnTypes = {
  getTypeParser(id: number, format?: 'text' | 'binary'): (value: string) => unknown {
    if (format !== 'binary') {
      if (id === BIGINT || id === NUMERIC) return Number;
      if (id === DATE) return String;
    }
    return types.getTypeParser(id, format === 'binary' ? 'binary' : 'text');
  },
};

const declared = new Map<string, Statement | TableStatement>();

function declare<Declared extends Statement | TableStatement>(name: string, statement: Declared): Declared {
  if (declared.has(name)) throw new Error(`Statement ${name} is declared twice.`);
  declared.set(name, statement);
  return statement;
}

/** All statements that the loaded modules declare, by name. Exported for tests. */
export function declaredStatements(): ReadonlyMap<string, Statement | TableStatement> {
  return declared;
}

/**
 * Declares a statement, once, as a module loads; behind it follows its text, as a template.
 *
 * @param columns of its rows, none for a statement that returns no rows
 * @throws Error when the name is taken: connections keep statements prepared by name
 */
export function statement<Row extends object = object>(name: string, columns?: Columns<Row>) {
  return (text: TemplateStringsArray, ...parts: (string | number)[]) =>
    declare<Statement<Row>>(name, { name, text: String.raw({ raw: text }, ...parts), columns });
}

/** Stands in the text of a table statement for the table. */
export const table = (name: string): string => name;

/**
 * Declares a statement on the table of a generation, as `statement` does. Functions in its text are given the table. Its name
 * begins with that of the projection.
 */
export function tableStatement<Row extends object = object>(name: string, columns?: Columns<Row>) {
  return (text: TemplateStringsArray, ...parts: (string | number | ((table: string) => string))[]) =>
    declare<TableStatement<Row>>(name, (table) => {
      const filled = parts.map((part) => (typeof part === 'function' ? part(table) : part));
      return { name: `${name}:${table}`, text: String.raw({ raw: text }, ...filled), columns };
    });
}

/** How the columns that the database names differ from those that are declared. Exported for tests. */
export function columnFaults(declared: Columns<object> | undefined, found: readonly FieldDef[]): string[] {
  const columns = new Map<string, Column<unknown>>(Object.entries({ ...declared }));
  const faults = found.flatMap(({ name, dataTypeID }) => {
    const types = columns.get(name)?.types;
    if (!columns.delete(name)) return `${name} is not declared`;
    return types?.includes(dataTypeID) ? [] : `${name} is of type ${dataTypeID}`;
  });
  return [...faults, ...columns.keys().map((name) => `${name} is missing`)];
}

/** Runs a statement by itself, outside any transaction, and returns its rows. */
export async function query<Row extends object>(
  connections: Pool | PoolClient,
  { name, text }: Statement<Row>,
  values: unknown[] = [],
): Promise<Row[]> {
  return (await connections.query<Row>({ name, text, values })).rows;
}

/** Runs a statement by itself, outside any transaction, and returns the number of rows it touched. */
export async function execute(
  connections: Pool | PoolClient,
  { name, text }: Statement,
  values: unknown[] = [],
): Promise<number> {
  return (await connections.query({ name, text, values })).rowCount ?? 0;
}

/** Runs a statement that is composed as it is needed, so rarely that its columns are checked each time. */
export async function unprepared<Row extends object>(
  connections: Pool | PoolClient,
  columns: Columns<Row>,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const { rows, fields } = await connections.query<Row>(text, values);
  const faults = columnFaults(columns, fields);
  if (faults.length > 0) throw new Error(`The columns of a statement are not as declared: ${faults.join(', ')}.`);
  return rows;
}
