import type { Transaction } from '@milepost/postgres';

/** Positions after `after` up to and including `through`. */
export interface PositionRange {
  after: number;
  through: number;
}

/**
 * A chunk of a stage's work, from one boundary (exclusive) to another (inclusive). The meaning of a boundary depends on
 * the stage.
 */
export interface Chunk {
  after: readonly string[];
  through: readonly string[];
  /** The number of stored events in the chunk, from which progress and throttling are computed. */
  events: number;
}

/** The tables that one fill writes, and the log position that they reflect afterwards. */
export interface Filling {
  /** The table to fill, or the first one if the fill writes several. Scratch tables are named after this table. */
  table: string;
  /** All tables that the fill writes, keyed by projection. */
  tables: ReadonlyMap<string, string>;
  /** The filled tables show the state at this position. */
  asOf: number;
  /** The first day whose rows are kept (`YYYY-MM-DD`); null if all rows are kept. */
  cutoff: string | null;
}

/**
 * One pass over the work, in chunks that run concurrently and in any order. The transaction that runs a chunk also
 * marks it as done, so the chunk takes effect once, even if the replay is killed and restarted.
 */
export interface FillStage {
  /** Divides the work into chunks. Runs once, when all chunks of the previous stage are done. */
  plan(transaction: Transaction, filling: Filling): Promise<Chunk[]>;
  run(transaction: Transaction, chunk: Chunk, filling: Filling): Promise<void>;
  /** Whether chunks are ranges of positions, so that bisection can find a failing stored event. */
  byPosition: boolean;
}

export interface Fill {
  stages: readonly FillStage[];
  /**
   * The names of tables that only the fill needs, with the SQL for their columns. The replay creates the tables before
   * the fill and drops them afterwards.
   */
  scratch?(table: string): ScratchTable[];
}

interface ScratchTable {
  name: string;
  columns: string;
}

/** Returns the scratch tables needed to fill a table. */
export function scratchTables({ scratch }: Fill, table: string): ScratchTable[] {
  return scratch?.(table) ?? [];
}

/** Returns the positions that a chunk covers, in a stage made with `byPosition`. */
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
