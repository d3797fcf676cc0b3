import type { Transaction } from '@milepost/postgres';

/** Positions after `after` up to and including `through`. */
export interface PositionRange {
  after: number;
  through: number;
}

/**
 * A chunk of a stage's work, from one boundary (exclusive) to another (inclusive). The stage defines its boundaries.
 */
export interface Chunk {
  after: readonly string[];
  through: readonly string[];
  /** The number of stored events in the chunk, for progress reports and throttling. */
  events: number;
}

/** The tables that a replay fills, and the position that they show afterwards. */
export interface Filling {
  /**
   * The table. When a replay fills several tables together, it is the first of them. The names of scratch tables come
   * from this table.
   */
  table: string;
  /** All tables that the replay fills together, by projection. */
  tables: ReadonlyMap<string, string>;
  /** The position whose state the filled table shows. */
  asOf: number;
  /** The first day whose rows are kept (`YYYY-MM-DD`); null if all rows are kept. */
  cutoff: string | null;
}

/**
 * One pass over the work, in chunks that run in any order and concurrently. Each chunk runs in the transaction that
 * marks it as done, so it takes effect once, even if the replay is killed and restarted.
 */
export interface FillStage {
  /** Divides the work into chunks. Runs once, after the last chunk of the previous stage. */
  plan(transaction: Transaction, filling: Filling): Promise<Chunk[]>;
  run(transaction: Transaction, chunk: Chunk, filling: Filling): Promise<void>;
  /** Whether chunks are ranges of positions, so that bisection finds the stored event that fails. */
  byPosition: boolean;
}

export interface Fill {
  stages: readonly FillStage[];
  /**
   * Tables that only the fill needs: the name of each, and the SQL of its columns. The replay creates them before the
   * fill and drops them after the fill.
   */
  scratch?(table: string): ScratchTable[];
}

interface ScratchTable {
  name: string;
  columns: string;
}

/** Returns the scratch tables for the fill of a table. */
export function scratchTables({ scratch }: Fill, table: string): ScratchTable[] {
  return scratch?.(table) ?? [];
}

/** Returns the range of positions that a chunk covers, for a stage made with `byPosition`. */
export function rangeOf({ after, through }: Chunk): PositionRange {
  return { after: Number(after[0]), through: Number(through[0]) };
}

/** Returns a stage whose chunks are ranges of `size` positions. */
export function byPosition(
  size: number,
  run: (transaction: Transaction, range: PositionRange, filling: Filling) => Promise<void>,
): FillStage {
  return {
    byPosition: true,
    async plan(_transaction, { asOf }) {
      return Array.from({ length: Math.ceil(asOf / size) }, (_, index) => {
        const through = Math.min((index + 1) * size, asOf);
        return { after: [String(index * size)], through: [String(through)], events: through - index * size };
      });
    },
    run: async (transaction, chunk, filling) => await run(transaction, rangeOf(chunk), filling),
  };
}
