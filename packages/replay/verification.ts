/** One side of a comparison. */
export interface ComparedGeneration {
  generation: number;
  version: number;
  rows: number;
}

export interface DifferingDay {
  /** `YYYY-MM-DD`; null for tables whose rows have no day. */
  day: string | null;
  live_rows: number;
  replayed_rows: number;
}

/** A row that is not the same on both sides; null where the side has no such row. Long values are cut. */
export interface DifferenceSample {
  day: string | null;
  key: string;
  live: string | null;
  replayed: string | null;
}

export interface TableVerification {
  projection: string;
  live: ComparedGeneration;
  replayed: ComparedGeneration;
  equal: boolean;
  /** Another version leads to other rows, so differences are what the replay is for. */
  expected: boolean;
  /** Keys whose rows differ. */
  differences: number;
  differing_day_count: number;
  /** The first of them. */
  differing_days: DifferingDay[];
  samples: DifferenceSample[];
  /** What the projection has to say about the differences, such as how scores change. */
  changes: object | null;
}

/** The report of a replay's verification: its generations against the live ones, both at `position`. */
export interface Verification {
  position: number;
  compared_at: string;
  /** Rows of earlier days were left out, because one side does not keep them. */
  horizon: string | null;
  equal: boolean;
  /** No difference, or none but those that a changed version explains. */
  expected: boolean;
  differences: number;
  tables: TableVerification[];
}
