import type { Transaction } from '@milepost/postgres';
import type { Audit } from './audit.ts';
import type { ComparableRows } from './compare.ts';
import type { Fill, PositionRange } from './fill.ts';

/** A person who is erased, and under which name the figures stay where they do. */
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
 * The code that folds stored events into one read table. The engine owns generations, checkpoints and transactions; a
 * projection only says what its table looks like and what a range of positions changes in it.
 */
export interface Projection {
  /** Names the projection, its read table and the view on the live one. */
  name: string;
  /** Rises when the same stored events lead to other rows; a new version needs a replay. */
  version: number;
  /** SQL that makes an empty table without indexes under the physical name given. */
  createTable(table: string): string;
  /** SQL that adds the table's indexes, which a replay does once the table is filled. */
  createIndexes(table: string): string;
  /**
   * The SELECT by which readers see a table that is live; without this hook, they see the table as it is. It acts with the
   * rights of its owner, the projector's role: what it shows of the log, it shows to the API.
   */
  view?(table: string): string;
  /**
   * Brings `table` from the state at `range.after` to the state at `range.through`. Must be set-based, and must depend on
   * nothing but the log up to `range.through`. The engine applies a range once, as
   * the checkpoint moves in the same transaction; applied twice, it must lead to the same rows or be refused by the
   * table's key.
   */
  apply(transaction: Transaction, range: PositionRange, table: string): Promise<void>;
  /** How a replay fills an empty table: the same rows as `apply` over the whole log, in chunks and without looking twice. */
  fill: Fill;
  /** How an audit recounts the table from the log. */
  audit: Audit;
  /**
   * Takes a person out of a table, whatever position it is at, and leaves what `apply` would give from the log with the
   * erasure's marks. The person may go by the pseudonym already, after an earlier erasure that kept the aggregates.
   */
  erase(transaction: Transaction, table: string, subject: ErasedSubject): Promise<void>;
  /** The rows of a table, with their whole content in `value`. */
  rows(table: string): ComparableRows;
  /**
   * The first day whose rows are kept at the time `now` (epoch milliseconds), as `YYYY-MM-DD`: a Monday, so that no week
   * is kept in part. Null, and without this hook: all rows are kept.
   *
   * @param detailDays for how long the operator keeps details; null: for ever
   */
  keepsFrom?(now: number, detailDays: number | null): string | null;
  /**
   * What an operator wants to know about the rows that differ between two tables, as JSON, beyond which they are. Rows of
   * days before the cutoff (`YYYY-MM-DD`, null for none) are left out.
   */
  describeChanges?(transaction: Transaction, tables: ComparedTables, cutoff: string | null): Promise<object>;
}

/** The physical table of a projection's generation. */
export function tableOf(projection: string, generation: number): string {
  return `read.${projection}_${generation}`;
}

/** The name of the index of a physical table's primary key. */
export function primaryKeyOf(table: string): string {
  return `${table.slice(table.indexOf('.') + 1)}_pkey`;
}

/** The view on the live generation, which queries read. */
export function viewOf(projection: string): string {
  return `read.${projection}`;
}

/** SQL that makes this view on a table. */
export function createView({ name, view }: Projection, table: string): string {
  return `CREATE VIEW ${viewOf(name)} AS ${view?.(table) ?? `SELECT * FROM ${table}`};`;
}
