import type { Transaction } from '@milepost/postgres';

/** Positions after `after` up to and including `through`. */
export interface PositionRange {
  after: number;
  through: number;
}

/** A part of a stage's work: what lies after one boundary, up to and including the other. What boundaries are, the stage knows. */
export interface Part {
  after: readonly string[];
  through: readonly string[];
  /** Stored events that the part stands for, by which progress is told and throttled. */
  events: number;
}

/** The table that is being filled, and as of when. */
export interface Filling {
  table: string;
  /** The position whose state the filled table shows. */
  asOf: number;
  /** Rows of earlier days are not kept (`YYYY-MM-DD`); null: all are. */
  horizon: string | null;
}

/**
 * One pass over the work, in parts that run in any order and several at once. Each part runs in the transaction that
 * marks it as done, so it has its effect once however often the replay is killed.
 */
export interface FillStage {
  /** Cuts the work into parts. Runs once, after the last part of the stage before. */
  plan(transaction: Transaction, filling: Filling): Promise<Part[]>;
  run(transaction: Transaction, part: Part, filling: Filling): Promise<void>;
  /** Whether parts are ranges of positions, so that a stored event at fault can be found by halving. */
  byPosition: boolean;
}

export interface Fill {
  stages: readonly FillStage[];
  /** Tables that only the filling needs: name and SQL of the columns. They are made before it and dropped after it. */
  scratch(table: string): { name: string; columns: string }[];
}

/** The range of positions that a part of a stage `byPosition` stands for. */
export function rangeOf({ after, through }: Part): PositionRange {
  return { after: Number(after[0]), through: Number(through[0]) };
}

/** A stage whose parts are ranges of `size` positions. */
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
    run: async (transaction, part, filling) => await run(transaction, rangeOf(part), filling),
  };
}
