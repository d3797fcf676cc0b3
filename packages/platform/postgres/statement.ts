import { inStatement } from '@milepost/tracing';
import { type FieldDef, type Pool, type PoolClient, types } from 'pg';

/** Returns the possible types of a kind of column (OIDs of `pg_type`), which `columnTypes` parses to these values. */
function parsedTo<Value>(...types: number[]): { types: readonly number[]; value?: Value } {
  return { types };
}

const KINDS = {
  text: parsedTo<string>(25, 1043),
  'text[]': parsedTo<string[]>(1009),
  /** Any numeric type. */
  number: parsedTo<number>(20, 21, 23, 700, 701, 1700),
  boolean: parsedTo<boolean>(16),
  /** `YYYY-MM-DD`. */
  date: parsedTo<string>(1082),
  timestamp: parsedTo<Date>(1184),
  bytes: parsedTo<Buffer>(17),
  json: parsedTo<unknown>(114, 3802),
};

type Kinds = typeof KINDS;
type ValueOfKind<Kind extends keyof Kinds> = Kinds[Kind] extends { value?: infer Value } ? Value : never;
type Values = { [Kind in keyof Kinds as Kind | `${Kind}!`]: ValueOfKind<Kind> } & {
  [Kind in keyof Kinds as `${Kind}?`]: ValueOfKind<Kind> | null;
};

/**
 * The kind of a column, such as `text`. `text?` may be null; `text!` is nullable in its table, but never null in the
 * statement's result.
 */
type ColumnKind = keyof Values;

/** A column whose values the table or the statement limits further than its kind does. */
export interface Column<Value> {
  readonly kind: ColumnKind;
  /** Only the compiler uses this property, which is never set. */
  readonly value?: Value;
}

/**
 * The columns of a statement's rows: the kind of each or, if its values are limited further, a `column`. A test compares
 * them with the database's description of the statement, so only `unprepared` checks them at run time.
 */
export type Columns = Readonly<Record<string, ColumnKind | Column<unknown>>>;

type ValueOf<Declared> = Declared extends ColumnKind
  ? Values[Declared]
  : Declared extends Column<infer Value>
    ? Value
    : never;

/** A statement that each connection prepares once, under its name. The columns define the type of the rows. */
export interface Statement<Row extends object = object> {
  readonly name: string;
  readonly text: string;
  readonly columns: Columns | undefined;
  /** Only the compiler uses this property, which is never set. */
  readonly row?: Row;
}

/** A statement on a generation's table. Each connection prepares it once per table. */
export type TableStatement<Row extends object = object> = (table: string) => Statement<Row>;

/** The type of a statement's rows, or of rows with these columns. */
export type RowOf<Declared> = Declared extends Statement<infer Row> | TableStatement<infer Row>
  ? Row
  : { -readonly [Name in keyof Declared]: ValueOf<Declared[Name]> };

/** Returns a column whose values the table or the statement limits further than its kind does. `?` adds null to them. */
export function column<Value extends string>(kind: 'text'): Column<Value>;
export function column<Value extends string>(kind: 'text?'): Column<Value | null>;
export function column<Value>(kind: 'json'): Column<Value>;
export function column<Value>(kind: 'json?'): Column<Value | null>;
export function column(kind: ColumnKind): Column<unknown> {
  return { kind };
}

/** Returns several columns of the same kind. */
export function columns<Kind extends ColumnKind, Name extends string>(kind: Kind, ...names: Name[]): Record<Name, Kind>;
export function columns(kind: ColumnKind, ...names: string[]) {
  return Object.fromEntries(names.map((name) => [name, kind]));
}

const BIGINT = 20;
const NUMERIC = 1700;
const DATE = 1082;

/**
 * Parses columns to JavaScript values. Positions, offsets and epoch milliseconds stay below 2^53. A numeric is the
 * decimal text of a double, or of a sum of doubles, so the nearest double is the original number. Dates stay
 * `YYYY-MM-DD`, because a `Date` would add the local time zone.
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

/** Declares a statement under its name, which no other statement may have. */
export function declare<Declared extends Statement | TableStatement>(name: string, statement: Declared): Declared {
  if (declared.has(name)) throw new Error(`Statement ${name} is declared twice.`);
  declared.set(name, statement);
  return statement;
}

/** Returns the statements declared by the loaded modules, by name. Exported for tests. */
export function declaredStatements(): ReadonlyMap<string, Statement | TableStatement> {
  return declared;
}

/**
 * Declares a statement once, when its module loads. Returns a template tag for the text of the statement.
 *
 * @param columns the columns of its rows, such as `{ id: 'number', note: 'text?' }`; undefined for a statement that
 *   returns no columns
 * @throws Error when another statement has this name, because connections keep prepared statements by name
 */
export function statement<const Declared extends Columns = Record<never, never>>(name: string, columns?: Declared) {
  return (text: TemplateStringsArray, ...parts: (string | number)[]) =>
    declare<Statement<RowOf<Declared>>>(name, { name, text: String.raw({ raw: text }, ...parts), columns });
}

/** Returns the possible types of a declared column, and whether it is nullable in its table. Exported for tests. */
export function typesOf(declared: Columns[string]): { types: readonly number[] | undefined; nullable: boolean } {
  const [kind, mark] = (typeof declared === 'string' ? declared : declared.kind).split(/([?!])/);
  return { types: Object.entries(KINDS).find(([name]) => name === kind)?.[1].types, nullable: mark !== undefined };
}

/** Returns the differences between the declared columns and those returned by the database. Exported for tests. */
export function columnFaults(declared: Columns | undefined, found: readonly FieldDef[]): string[] {
  const missing = new Set(Object.keys({ ...declared }));
  const faults = found.flatMap(({ name, dataTypeID }) => {
    const column = declared?.[name];
    if (column === undefined || !missing.delete(name)) return `${name} is not declared`;
    return typesOf(column).types?.includes(dataTypeID) ? [] : `${name} is of type ${dataTypeID}`;
  });
  return [...faults, ...missing.values().map((name) => `${name} is missing`)];
}

/** A pool, or one of its connections. */
export type Connections = Pool | PoolClient;

const prefixes = new WeakMap<object, string>();

/** Sets the prefix for the names of the statements prepared by these connections. */
export function prefixNames(connections: Connections, prefix: string): void {
  prefixes.set(connections, prefix);
}

/** Runs a statement outside any transaction and returns its rows. */
export async function query<Row extends object>(
  connections: Connections,
  { name, text }: Statement<Row>,
  values: unknown[] = [],
): Promise<Row[]> {
  const prepared = `${prefixes.get(connections) ?? ''}${name}`;
  return (await inStatement(name, () => connections.query<Row>({ name: prepared, text, values }))).rows;
}

/**
 * Runs a statement that always returns a row outside any transaction, and returns its first row. Throws an Error when
 * there is none.
 */
export async function queryRow<Row extends object>(
  connections: Connections,
  statement: Statement<Row>,
  values: unknown[] = [],
): Promise<Row> {
  return firstRow(statement, await query(connections, statement, values));
}

/** Returns the first row of a statement that always returns one. */
export function firstRow<Row extends object>({ name }: Statement<Row>, [row]: readonly Row[]): Row {
  if (row === undefined) throw new Error(`Statement ${name} returned no row.`);
  return row;
}

/** Runs a statement outside any transaction and returns the number of affected rows. */
export async function execute(
  connections: Connections,
  { name, text }: Statement,
  values: unknown[] = [],
): Promise<number> {
  const prepared = `${prefixes.get(connections) ?? ''}${name}`;
  return (await inStatement(name, () => connections.query({ name: prepared, text, values }))).rowCount ?? 0;
}

/** Runs a statement whose text is composed at run time and checks its columns each time. */
export async function unprepared<const Declared extends Columns>(
  connections: Connections,
  columns: Declared,
  text: string,
  values: unknown[] = [],
): Promise<RowOf<Declared>[]> {
  const { rows, fields } = await inStatement('unprepared', () => connections.query<RowOf<Declared>>(text, values));
  const faults = columnFaults(columns, fields);
  if (faults.length > 0)
    throw new Error(`The columns of a statement differ from its declaration: ${faults.join(', ')}.`);
  return rows;
}
