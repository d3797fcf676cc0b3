import type { NothingToErase } from '@milepost/erasure';
import type { PositionRefusal, ReplayRefusal } from '@milepost/replay';

/** The data of each kind of refusal, by its code. The list is closed; over HTTP it is the `code` of the problem. */
export interface RefusalData {
  key_not_found: object;
  replay_not_found: { id: number };
  dead_letter_not_found: { id: number };
  audit_not_found: { id: number };
  /** `last` is the highest lane number. */
  lane_not_found: { lane: number; last: number };
  trip_not_found: { trip_id: string | null };
  /** The id is null where the audit trail must not name the driver. */
  driver_not_found: { fleet_id: string; driver_id: string | null };
  replay_refused: { reason: ReplayRefusal };
  /** `lane` is the lane to which the fleet is moving. */
  fleet_moving: { fleet_id: string; lane: number };
  erasure_refused: { fleet_id: string; driver_id: string; reason: NothingToErase };
  session_not_found: { pid: number };
  /** `login` is the login of the session; null for a process of PostgreSQL itself. */
  session_refused: { pid: number; login: string | null };
  source_refused: { topic: string; partition: number };
  position_refused: { position: number; reason: PositionRefusal };
}

export type RefusalCode = keyof RefusalData;

/** The reason for a refusal, as data. */
export type RefusalReason<Code extends RefusalCode = RefusalCode> = {
  [Each in Code]: { code: Each } & RefusalData[Each];
}[Code];

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
