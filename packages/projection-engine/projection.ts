import type { Transaction } from '@milepost/postgres';

/** Positions after `after` up to and including `through`. */
export interface PositionRange {
  after: number;
  through: number;
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
  /** SQL that makes an empty table, with its indexes, under the physical name given. */
  createTable(table: string): string;
  /**
   * Brings `table` from the state at `range.after` to the state at `range.through`. Must be set-based, must depend on
   * nothing but the log up to `range.through`, and must change nothing when the same range is applied again.
   */
  apply(transaction: Transaction, range: PositionRange, table: string): Promise<void>;
}

/** The physical table of a projection's generation. */
export function tableOf(projection: string, generation: number): string {
  return `read.${projection}_${generation}`;
}

/** The view on the live generation, which queries read. */
export function viewOf(projection: string): string {
  return `read.${projection}`;
}
