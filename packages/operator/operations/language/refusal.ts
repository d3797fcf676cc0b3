import type { NothingToErase } from '@milepost/erasure';
import type { PositionRefusal, ReplayRefusal } from '@milepost/replay';

/** The reason for a refusal, as data. `code` is from a closed list; over HTTP it is the `code` of the problem. */
export type RefusalReason =
  | { code: 'key_not_found' }
  | { code: 'replay_not_found' | 'dead_letter_not_found' | 'audit_not_found'; id: number }
  /** `last` is the highest lane number. */
  | { code: 'lane_not_found'; lane: number; last: number }
  | { code: 'trip_not_found'; trip_id: string | null }
  /** The id is null where the audit trail must not name the driver. */
  | { code: 'driver_not_found'; fleet_id: string; driver_id: string | null }
  | { code: 'replay_refused'; reason: ReplayRefusal }
  | { code: 'erasure_refused'; fleet_id: string; driver_id: string; reason: NothingToErase }
  /** `lane` is the lane to which the fleet is moving. */
  | { code: 'fleet_moving'; fleet_id: string; lane: number }
  | { code: 'session_not_found'; pid: number }
  /** `login` is the login of the session; null for a process of PostgreSQL itself. */
  | { code: 'session_refused'; pid: number; login: string | null }
  | { code: 'source_refused'; topic: string; partition: number }
  | { code: 'position_refused'; position: number; reason: PositionRefusal };

export type RefusalCode = RefusalReason['code'];

/**
 * The current state does not allow an operation, and nothing has changed. A client converts the reason to a sentence.
 */
export class Refusal extends Error {
  override name = 'Refusal';
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason) {
    super(`Refused: ${JSON.stringify(reason)}`);
    this.reason = reason;
  }
}
