/** A stored event, with its source and its place in the source. */
export interface NamedStoredEvent {
  position: number;
  kind: string;
  fleet_id: string;
  driver_id: string | null;
  trip_id: string | null;
  revision: number;
  topic: string | null;
  partition: number | null;
  offset: number;
}

/**
 * The kind of a fault. The first five concern rows of a read table. The next five concern a projection or its
 * checkpoint. The last three concern the log: gaps in positions, trips without a body, and sources whose counts do not
 * add up.
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
  | 'source_counts'
  | 'audit_failed';

export interface AuditFault {
  check: AuditCheck;
  /** Null for faults in the log, and for a failed audit. */
  projection: string | null;
  day: string | null;
  /** The key of a row: fleet and trip, or fleet and driver. */
  key: string | null;
  /** One or two sentences. */
  detail: string;
  /** The stored events that caused the fault, the newest first. */
  positions: NamedStoredEvent[];
}

/** Creates a fault that does not concern a row. */
export function faultOf(
  check: AuditCheck,
  projection: string | null,
  detail: string,
  positions: NamedStoredEvent[] = [],
): AuditFault {
  return { check, projection, day: null, key: null, detail, positions };
}

/** The comparison of one read table with the log. */
export interface AuditedProjection {
  projection: string;
  generation: number;
  version: number;
  checkpoint: number;
  /** Earlier days are not compared, because the generation does not keep them. */
  cutoff: string | null;
  expected_rows: number;
  actual_rows: number;
  /** The number of rows that are missing, surplus or different. */
  differences: number;
  differing_day_count: number;
  differing_days: { day: string | null; expected_rows: number; actual_rows: number }[];
  seconds: number;
}

/** The result of an audit of one snapshot of the database. */
export interface AuditReport {
  /** The only projection that was audited; null if all were audited. */
  projection: string | null;
  /** The head of the log. */
  position: number;
  /** RFC 3339. */
  audited_at: string;
  seconds: number;
  /** Whether the audit found no fault. */
  equal: boolean;
  projections: AuditedProjection[];
  faults: AuditFault[];
}
