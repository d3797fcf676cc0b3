import { PARTS_OF_TRIPS } from '@milepost/projections/read-tables';
import { ALL, type PositionRefusal, type ReplayRefusal } from '@milepost/replay';
import type { RefusalReason } from './language/refusal.ts';
import type { Action } from './language/schemas.ts';

/** Returns the sentence for a name that is not the name of a projection. */
export function unknownProjection({ name, known }: Extract<ReplayRefusal, { code: 'unknown_projection' }>): string {
  const remark = PARTS_OF_TRIPS.includes(name) ? `; trips now includes ${name}` : '';
  return `There is no projection ${name}: choose ${ALL}, or one or more of ${known.join(', ')}, separated by commas${remark}.`;
}

function replaySentence(refusal: ReplayRefusal): string {
  switch (refusal.code) {
    case 'unknown_projection':
      return unknownProjection(refusal);
    case 'no_read_table':
      return `Projection ${refusal.projection} has no read table yet: the database must be migrated to this release first.`;
    case 'in_the_way':
      return `Replay ${refusal.id} of ${refusal.projection} ${refusal.phase === 'waiting' ? 'is waiting to be promoted' : 'is running'}.`;
    case 'ended':
      return `Replay ${refusal.id} is ${refusal.phase.replaceAll('_', ' ')}: there is nothing to ${refusal.action}.`;
    case 'waits_for_promotion':
      return `Replay ${refusal.id} is waiting to be promoted: there is nothing to pause.`;
    case 'under_way':
      return `Replay ${refusal.id} is running.`;
    case 'cancelled':
      return `Replay ${refusal.id} was cancelled, and its tables have already been dropped.`;
    case 'unexplained_differences': {
      const rows = refusal.differences === 1 ? '1 row differs' : `${refusal.differences} rows differ`;
      return `Not promoted: ${rows} from the live read tables, and no version change explains the difference.`;
    }
    case 'no_earlier_generation':
      return `There is nothing to roll ${refusal.projection} back to: no replaced generation is kept.`;
    case 'earlier_version':
      return `Generation ${refusal.generation} of ${refusal.projection} belongs to version ${refusal.version}, but this release has version ${refusal.releaseVersion}: roll back with the release that built it.`;
    case 'promoted_apart': {
      const list = refusal.promotions.map(({ id, projections }) => `${projections.join(', ')} by replay ${id}`);
      return `Different replays promoted these projections (${list.join('; ')}): name only projections that the same replay promoted.`;
    }
  }
}

function positionSentence(position: number, refusal: PositionRefusal): string {
  switch (refusal.code) {
    case 'not_stored':
      return `The log has no position ${position}: it ends at position ${refusal.head}.`;
    case 'applied':
      return `Every live read table has applied position ${position}, and none is waiting for the replay of a new version: only positions after ${refusal.checkpoint} can be set aside.`;
    case 'replayed':
      return `Replay ${refusal.id} includes position ${position}: cancel it first, and start it again afterwards.`;
    case 'already_set_aside':
      return `Position ${position} has already been set aside.`;
    case 'not_set_aside':
      return `Position ${position} has not been set aside.`;
    case 'too_many':
      return `${refusal.most} positions have been set aside, and no more are allowed: a fault that affects so many stored events needs a release that fixes it.`;
  }
}

/** Returns an id for use in a sentence. If the requested id is not a number, `id` is -1, which is not shown. */
const idOf = (id: number) => (id < 0 ? 'with this id' : String(id));

/** Returns the reason for a refusal as one sentence, without suggesting an operation, because `nextAfter` does that. */
export function refusalSentence(reason: RefusalReason): string {
  switch (reason.code) {
    case 'key_not_found':
      return 'There is no API key with this id.';
    case 'replay_not_found':
      return `There is no replay ${idOf(reason.id)}.`;
    case 'dead_letter_not_found':
      return `There is no dead letter ${idOf(reason.id)}.`;
    case 'audit_not_found':
      return `There is no audit ${idOf(reason.id)}.`;
    case 'lane_not_found':
      return `There is no lane ${reason.lane < 0 ? 'with this number' : reason.lane}: the database has ${reason.last === 0 ? 'only lane 0' : `lanes 0 to ${reason.last}`}.`;
    case 'trip_not_found':
      return `The log has no trip ${reason.trip_id ?? 'with this id'}: find trip ids in API responses or in the list of trips.`;
    case 'driver_not_found':
      return `The log has no driver ${reason.driver_id === null ? 'with this id' : JSON.stringify(reason.driver_id)} in fleet ${reason.fleet_id}.`;
    case 'replay_refused':
      return replaySentence(reason.reason);
    case 'erasure_refused': {
      const { reason: nothing, fleet_id } = reason;
      if (nothing.code === 'unknown') return `The log has nothing about a driver with this id in fleet ${fleet_id}.`;
      return `The driver has already been erased at position ${nothing.position}, and the aggregates were ${nothing.code === 'erased' ? 'erased too' : 'kept'}.`;
    }
    case 'fleet_moving':
      return `Fleet ${reason.fleet_id} is being moved to lane ${reason.lane}: try again once the move has ended. If the move was interrupted, start it again to continue.`;
    case 'session_not_found':
      return `The database has no session ${idOf(reason.pid)}.`;
    case 'session_refused':
      return `Session ${reason.pid} belongs to ${reason.login === null ? 'PostgreSQL itself' : `the login ${reason.login}`}, whose sessions Milepost is not allowed to end: ask its owner or a PostgreSQL administrator to end it.`;
    case 'source_refused':
      return `Source ${reason.topic}${reason.partition < 0 ? '' : `/${reason.partition}`} has no fault to resolve.`;
    case 'position_refused':
      return positionSentence(reason.position, reason.reason);
  }
}

function nextAfterReplay(refusal: ReplayRefusal): Action[] {
  switch (refusal.code) {
    case 'in_the_way': {
      const { id, phase } = refusal;
      const cancel = { operation: 'replay.cancel', input: { id } };
      return phase === 'waiting' ? [{ operation: 'replay.promote', input: { id } }, cancel] : [cancel];
    }
    case 'under_way':
      return [{ operation: 'replay.cancel', input: { id: refusal.id } }];
    case 'unexplained_differences': {
      const { id } = refusal;
      return [
        { operation: 'replay.show', input: { id } },
        { operation: 'replay.promote', input: { id, accept_differences: true } },
      ];
    }
    default:
      return [];
  }
}

function nextAfterPosition(refusal: PositionRefusal): Action[] {
  switch (refusal.code) {
    case 'replayed':
      return [{ operation: 'replay.cancel', input: { id: refusal.id } }];
    case 'applied':
      return [{ operation: 'status', input: {} }];
    default:
      return [{ operation: 'positions.list', input: {} }];
  }
}

/** The operation that helps after a refusal, by the refusal's code. Nearly all of these operations list what exists. */
const LISTS: Partial<Record<RefusalReason['code'], readonly Action[]>> = {
  key_not_found: [{ operation: 'keys.list', input: {} }],
  replay_not_found: [{ operation: 'replay.list', input: {} }],
  dead_letter_not_found: [{ operation: 'dead-letters.list', input: { all: true } }],
  audit_not_found: [{ operation: 'audit.list', input: {} }],
  session_not_found: [{ operation: 'sessions.list', input: {} }],
  source_refused: [{ operation: 'status', input: {} }],
};

/** Returns the operations that help after a refusal, the most useful one first. */
export function nextAfter(reason: RefusalReason): readonly Action[] {
  switch (reason.code) {
    case 'replay_refused':
      return nextAfterReplay(reason.reason);
    case 'position_refused':
      return nextAfterPosition(reason.reason);
    case 'erasure_refused': {
      const { fleet_id, driver_id } = reason;
      const isKept = reason.reason.code === 'aggregates_kept';
      return isKept ? [{ operation: 'drivers.erase', input: { fleet_id, driver_id } }] : [];
    }
    default:
      return LISTS[reason.code] ?? [];
  }
}
