/** A stored event, with its place in the source. */
export interface NamedStoredEvent {
  position: number;
  kind: string;
  fleet_id: string;
  driver_id: string | null;
  /** As answers have it. */
  trip_id: string | null;
  revision: number;
  topic: string | null;
  partition: number | null;
  offset: number;
}

/**
 * What a fault is about. Of read tables: a row that is missing, one too many, or another than it should be, how many
 * more there are, and values that cannot be read; a projection that stands still without a word or with one, that has no live generation, that is past
 * the log's end, or apart from the others. Of the log: positions that are not dense, processed trips without body, and
 * sources whose counts do not add up.
 */
export type AuditCheck =
  | 'missing_row'
  | 'extra_row'
  | 'differing_row'
  | 'more_rows'
  | 'unreadable_rows'
  | 'stalled_projector'
  | 'failed_projector'
  | 'no_live_generation'
  | 'checkpoint_past_head'
  | 'checkpoints_apart'
  | 'log_positions'
  | 'missing_body'
  | 'source_counts';

export interface AuditFault {
  check: AuditCheck;
  /** Null for faults of the log. */
  projection: string | null;
  /** `YYYY-MM-DD` */
  day: string | null;
  /** Of a row: fleet and trip, or fleet and driver. */
  key: string | null;
  /** What is wrong, in a sentence. */
  detail: string;
  /** Stored events behind it, the newest first, at most ten. */
  positions: NamedStoredEvent[];
}

/** One read table against what the log implies. */
export interface AuditedProjection {
  projection: string;
  generation: number;
  version: number;
  checkpoint: number;
  /** Rows of earlier days were left out, because the generation does not keep them. */
  horizon: string | null;
  expected_rows: number;
  actual_rows: number;
  /** Rows missing, too many or different. */
  differences: number;
  differing_day_count: number;
  /** The first of them. */
  differing_days: { day: string | null; expected_rows: number; actual_rows: number }[];
  seconds: number;
}

/** The result of an audit, of one snapshot of the database. */
export interface AuditReport {
  /** The only projection looked at; null: all. */
  projection: string | null;
  /** The head of the log. */
  position: number;
  audited_at: string;
  seconds: number;
  /** Nothing was found. */
  equal: boolean;
  projections: AuditedProjection[];
  faults: AuditFault[];
}
