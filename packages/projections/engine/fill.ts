import type { Transaction } from '@milepost/postgres';

/** Positions after `after` up to and including `through`. */
export interface PositionRange {
  after: number;
  through: number;
}

/** A chunk of a stage's work: what lies after one boundary, up to and including the other. What boundaries are, the stage knows. */
export interface Chunk {
  after: readonly string[];
  through: readonly string[];
  /** Stored events that the chunk stands for, by which progress is told and throttled. */
  events: number;
}

/** What is being filled, and as of when. */
export interface Filling {
  /** The table; where several are filled together the first one, after which scratch tables are named. */
  table: string;
  /** All tables that are filled together, by projection. */
  tables: ReadonlyMap<string, string>;
  /** The position whose state the filled table shows. */
  asOf: number;
  /** Rows of earlier days are not kept (`YYYY-MM-DD`); null: all are. */
  cutoff: string | null;
}

/**
 * One pass over the work, in chunks that run in any order and several at once. Each chunk runs in the transaction that
 * marks it as done, so it has its effect once however often the replay is killed.
 */
export interface FillStage {
  /** Cuts the work into chunks. Runs once, after the last chunk of the stage before. */
  plan(transaction: Transaction, filling: Filling): Promise<Chunk[]>;
  run(transaction: Transaction, chunk: Chunk, filling: Filling): Promise<void>;
  /** Whether chunks are ranges of positions, so that bisecting finds the stored event that fails. */
  byPosition: boolean;
}

/** Projections that have the same object as their `fill` are filled together where one replay builds them. */
export interface Fill {
  stages: readonly FillStage[];
  /** Tables that only the filling needs: name and SQL of the columns. They are made before it and dropped after it. */
  scratch(table: string): { name: string; columns: string }[];
}

/** The range of positions that a chunk of a stage `byPosition` stands for. */
export function rangeOf({ after, through }: Chunk): PositionRange {
  return { after: Number(after[0]), through: Number(through[0]) };
}

/** A stage whose chunks are ranges of `size` positions. */
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
