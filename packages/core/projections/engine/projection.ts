import { ROLES, type Transaction } from '@milepost/postgres';
import type { Audit } from './audit.ts';
import type { ComparableRows } from './compare.ts';
import type { Fill, PositionRange } from './fill.ts';

/** An erased person, with the pseudonym under which figures may be kept. */
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
 * The code that folds stored events into one read table. A projection defines only the table and how a range of
 * positions changes it, because the engine handles generations, checkpoints and transactions.
 */
export interface Projection {
  /** The shared name of the projection, its read table, and the view on the live table. */
  name: string;
  /** Raise the version when the same stored events should produce different rows. A new version requires a replay. */
  version: number;
  /** SQL that creates an empty table without indexes under the given physical name. */
  createTable(table: string): string;
  /** SQL that creates the table's indexes. A replay runs this SQL after filling the table. */
  createIndexes(table: string): string;
  /**
   * The SELECT of the view on a live table. Without this hook, the view has the table's columns. The view reads with
   * the privileges of its owner, the projector role, so the API can read all parts of the log that the view selects.
   */
  view?(table: string): string;
  /**
   * Advances `table` from its state at `range.after` to its state at `range.through`. Must work on sets of rows, and
   * depend only on the log up to `range.through`. The engine applies a range once, because the checkpoint moves in the
   * same transaction. Applying a range again must produce the same rows or violate the table's key.
   */
  apply(transaction: Transaction, range: PositionRange, table: string): Promise<void>;
  /**
   * In a replay, fills an empty table chunk by chunk with the rows that `apply` would derive from the whole log. If
   * several projections have the same object, a replay fills their tables together.
   */
  fill: Fill;
  /** How an audit computes the table's rows from the log. */
  audit: Audit;
  /**
   * Removes a person from a table, whatever its checkpoint. Afterwards, the rows are those that `apply` would produce
   * from the redacted log. If an earlier erasure kept the aggregates, the person may already have the pseudonym. A
   * table without personal data does not need this hook.
   */
  erase?(transaction: Transaction, table: string, subject: ErasedSubject): Promise<void>;
  /** SQL that lists the rows of a table, with their whole content in `value`. */
  rows(table: string): ComparableRows;
  /**
   * Returns the first day whose rows are kept at the time `now` (epoch milliseconds), as `YYYY-MM-DD`. The day must be
   * a Monday, so that only whole weeks are kept. If the day is null or the hook is absent, all rows are kept.
   *
   * @param detailDays the days for which the operator keeps details; null for no limit
   */
  keepsFrom?(now: number, detailDays: number | null): string | null;
  /**
   * Returns JSON that gives operators details about the rows that differ between two tables. Days before the cutoff
   * (`YYYY-MM-DD`, null for none) are left out.
   */
  describeChanges?(transaction: Transaction, tables: ComparedTables, cutoff: string | null): Promise<object>;
}

/** Returns the name of the physical table for a projection's generation. */
export function tableOf(projection: string, generation: number): string {
  return `${projection}_${generation}`;
}

function selectOf({ view }: Projection, table: string): string {
  return view?.(table) ?? `SELECT * FROM ${table}`;
}

/**
 * Returns SQL that creates a projection's view on a table. The grant is explicit, because on Citus, default privileges
 * do not apply to views on workers.
 */
export function createView(projection: Projection, table: string): string {
  const { name } = projection;
  return `CREATE VIEW ${name} AS ${selectOf(projection, table)};
    GRANT SELECT ON ${name} TO ${ROLES.api};`;
}

/**
 * Returns SQL that points a projection's view at another table with the same columns. The view keeps its privileges.
 */
export function replaceView(projection: Projection, table: string): string {
  return `CREATE OR REPLACE VIEW ${projection.name} AS ${selectOf(projection, table)};`;
}

/** A projection has stopped before a stored event that it cannot apply, instead of skipping it. */
export class ProjectionFailedError extends Error {
  override name = 'ProjectionFailedError';
  readonly projection: string;
  /** The version of the stopped generation. */
  readonly version: number;
  readonly position: number;

  constructor({ name, version }: { name: string; version: number }, position: number, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`Projection ${name} cannot apply the stored event at position ${position}: ${reason}`, { cause });
    this.projection = name;
    this.version = version;
    this.position = position;
  }
}

/**
 * A live generation has a different version from the projection's code. The projection stops until a replay has rebuilt
 * its read table.
 */
export class ProjectionVersionError extends Error {
  override name = 'ProjectionVersionError';
  readonly projection: string;
  /** The version of the stopped generation. */
  readonly version: number;
  readonly position = null;

  constructor(projection: string, liveVersion: number, version: number) {
    super(`Projection ${projection} is live at version ${liveVersion}, but this program has version ${version}.`);
    this.projection = projection;
    this.version = liveVersion;
  }
}

/** Another process moved a checkpoint during the transaction, so the batch is rolled back and retried. */
export class CheckpointMovedError extends Error {
  override name = 'CheckpointMovedError';

  constructor(projections: readonly string[], checkpoint: number) {
    super(`At least one checkpoint of ${projections.join(', ')} is no longer ${checkpoint}.`);
  }
}
