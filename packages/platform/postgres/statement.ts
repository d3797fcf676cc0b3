import { inStatement } from '@milepost/tracing';
import { type FieldDef, type Pool, type PoolClient, types } from 'pg';

/**
 * A column of a statement's rows, with its possible types (OIDs of `pg_type`), which `columnTypes` parses. A test
 * compares all columns with the database's description of the statement, so they are not checked at run time.
 */
export interface Column<Value> {
  readonly types: readonly number[];
  readonly nullable: boolean;
  /** Only the compiler uses this property, which is never set. */
  readonly value?: Value;
}

export type Columns<Row> = { readonly [Name in keyof Row]: Column<Row[Name]> };

/** A statement that each connection prepares once, under its name. The columns define the type of the rows. */
export interface Statement<Row extends object = object> {
  readonly name: string;
  readonly text: string;
  readonly columns: Columns<Row> | undefined;
}

/** A statement on a generation's table. Each connection prepares it once per table. */
export type TableStatement<Row extends object = object> = (table: string) => Statement<Row>;

/** The type of a statement's rows, or of rows with these columns. */
export type RowOf<Declared> = Declared extends Statement<infer Row> | TableStatement<infer Row>
  ? Row
  : { [Name in keyof Declared]: Declared[Name] extends Column<infer Value> ? Value : never };

function column<Value>(...types: number[]): Column<Value> {
  return { types, nullable: false };
}

export const text = column<string>(25, 1043);
/** A text column with a closed list of values, which is guaranteed by the table or the statement. */
export const textOf = <Value extends string>() => column<Value>(25);
/** Any numeric type. */
export const number = column<number>(20, 21, 23, 700, 701, 1700);
export const boolean = column<boolean>(16);
/** `YYYY-MM-DD`. */
export const date = column<string>(1082);
export const timestamp = column<Date>(1184);
export const bytes = column<Buffer>(17);
export const json = <Value>() => column<Value>(114, 3802);
export const textArray = column<string[]>(1009);

/** Returns the same column, but nullable. */
export function nullable<Value>(of: Column<Value>): Column<Value | null> {
  return { types: of.types, nullable: true };
}

/** Returns a column that is nullable in its table, but never null in the statement's result. */
export function notNull<Value>(of: Column<Value>): Column<Value> {
  return { types: of.types, nullable: true };
}

/** Returns several columns of the same type. */
export function columns<Name extends string, Value>(of: Column<Value>, ...names: Name[]): Columns<Record<Name, Value>>;
export function columns(of: Column<unknown>, ...names: string[]) {
  return Object.fromEntries(names.map((name) => [name, of]));
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
 * @param columns the columns of its rows; undefined for a statement that returns no columns
 * @throws Error when another statement has this name, because connections keep prepared statements by name
 */
export function statement<Row extends object = object>(name: string, columns?: Columns<Row>) {
  return (text: TemplateStringsArray, ...parts: (string | number)[]) =>
    declare<Statement<Row>>(name, { name, text: String.raw({ raw: text }, ...parts), columns });
}

/** Returns the differences between the declared columns and those returned by the database. Exported for tests. */
export function columnFaults(declared: Columns<object> | undefined, found: readonly FieldDef[]): string[] {
  const columns = new Map<string, Column<unknown>>(Object.entries({ ...declared }));
  const faults = found.flatMap(({ name, dataTypeID }) => {
    const types = columns.get(name)?.types;
    if (!columns.delete(name)) return `${name} is not declared`;
    return types?.includes(dataTypeID) ? [] : `${name} is of type ${dataTypeID}`;
  });
  return [...faults, ...columns.keys().map((name) => `${name} is missing`)];
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
export async function unprepared<Row extends object>(
  connections: Connections,
  columns: Columns<Row>,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const { rows, fields } = await inStatement('unprepared', () => connections.query<Row>(text, values));
  const faults = columnFaults(columns, fields);
  if (faults.length > 0)
    throw new Error(`The columns of a statement differ from its declaration: ${faults.join(', ')}.`);
  return rows;
}
