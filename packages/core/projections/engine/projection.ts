import { ROLES, type Transaction } from '@milepost/postgres';
import type { Audit } from './audit.ts';
import type { ComparableRows } from './compare.ts';
import type { Fill, PositionRange } from './fill.ts';

/** An erased person, and the pseudonym for figures that are kept. */
export interface ErasedSubject {
  fleetId: string;
  id: string;
  pseudonym: string;
  keepAggregates: boolean;
}

/** The physical tables of two generations. */
export interface ComparedTables {
  live: string;
  replayed: string;
}

/**
 * The code that folds stored events into one read table. The engine owns generations, checkpoints and transactions. A
 * projection defines only its table and the changes that a range of positions makes in it.
 */
export interface Projection {
  /** The name of the projection, of its read table, and of the view on the live table. */
  name: string;
  /** Increase it when the same stored events would produce different rows; a new version requires a replay. */
  version: number;
  /** SQL that creates an empty table without indexes under the given physical name. */
  createTable(table: string): string;
  /** SQL that creates the table's indexes. A replay runs it after it has filled the table. */
  createIndexes(table: string): string;
  /**
   * The SELECT of the view on a live table; without this hook, the view has the columns of the table. The view has the
   * privileges of its owner, the projector role, so the API can read all parts of the log that the view selects.
   */
  view?(table: string): string;
  /**
   * Advances `table` from the state at `range.after` to the state at `range.through`. Must be set-based, and must
   * depend only on the log up to `range.through`. The engine applies a range once, because the checkpoint moves in the
   * same transaction. Applying a range a second time must give the same rows, or violate the table's key.
   */
  apply(transaction: Transaction, range: PositionRange, table: string): Promise<void>;
  /** Fills an empty table in a replay, in chunks, with the rows that `apply` would derive from the whole log. */
  fill: Fill;
  /**
   * The name of a projection that has the same `fill`. If a replay builds both projections, it fills both tables
   * together.
   */
  fillsWith?: string;
  /** How an audit computes the rows of the table from the log. */
  audit: Audit;
  /**
   * Removes a person from a table at any position. The result equals that of `apply` on the redacted log. After an
   * earlier erasure that kept the aggregates, the person may already have the pseudonym. A table without personal data
   * does not need this hook.
   */
  erase?(transaction: Transaction, table: string, subject: ErasedSubject): Promise<void>;
  /** The rows of a table, with their whole content in `value`. */
  rows(table: string): ComparableRows;
  /**
   * Returns the first day whose rows are kept at the time `now` (epoch milliseconds), as `YYYY-MM-DD`. It is a Monday,
   * so that only whole weeks are kept. With null, or without this hook, all rows are kept.
   *
   * @param detailDays the days for which the operator keeps details; null for no limit
   */
  keepsFrom?(now: number, detailDays: number | null): string | null;
  /**
   * Returns further information for operators, as JSON, about the rows that differ between two tables. It excludes rows
   * of days before the cutoff (`YYYY-MM-DD`, null for none).
   */
  describeChanges?(transaction: Transaction, tables: ComparedTables, cutoff: string | null): Promise<object>;
}

/** Returns the physical table of a projection's generation. */
export function tableOf(projection: string, generation: number): string {
  return `${projection}_${generation}`;
}

/** Returns the name of the index of a physical table's primary key. */
export function primaryKeyOf(table: string): string {
  return `${table}_pkey`;
}

/** Returns the view on the live generation, which queries read. */
export function viewOf(projection: string): string {
  return `${projection}`;
}

function selectOf({ view }: Projection, table: string): string {
  return view?.(table) ?? `SELECT * FROM ${table}`;
}

/**
 * SQL that creates this view on a table. The grant is explicit: on Citus, default privileges do not reach views on
 * workers.
 */
export function createView(projection: Projection, table: string): string {
  const view = viewOf(projection.name);
  return `CREATE VIEW ${view} AS ${selectOf(projection, table)};
    GRANT SELECT ON ${view} TO ${ROLES.api};`;
}

/** SQL that points this view at another table with the same columns. The view keeps its privileges. */
export function replaceView(projection: Projection, table: string): string {
  return `CREATE OR REPLACE VIEW ${viewOf(projection.name)} AS ${selectOf(projection, table)};`;
}
