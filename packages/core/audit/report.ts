import type { NamedStoredEvent } from './stored-events.ts';

/**
 * The kinds of faults. The first five are in the rows of a read table, the next five in a projection or its checkpoint,
 * and the next three in the log. `audit_failed` means that the audit did not finish.
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
  /** Null for a fault in the log and for a failed audit. */
  projection: string | null;
  day: string | null;
  /** The row's key: the fleet and the trip, or the fleet and the driver. */
  key: string | null;
  /** One or two sentences. */
  detail: string;
  /** The stored events that caused the fault, newest first. */
  positions: NamedStoredEvent[];
}

/** Returns a fault that does not concern a single row. */
export function faultOf(
  check: AuditCheck,
  projection: string | null,
  detail: string,
  positions: NamedStoredEvent[] = [],
): AuditFault {
  return { check, projection, day: null, key: null, detail, positions };
}
