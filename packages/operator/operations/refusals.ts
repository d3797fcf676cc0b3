import { PARTS_OF_TRIPS } from '@milepost/projections/read-tables';
import { ALL, type PositionRefusal, type ReplayRefusal } from '@milepost/replay';
import type { RefusalCode, RefusalData, RefusalReason } from './language/refusal.ts';
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

/** Returns an id for use in a sentence. If the requested id is not a number, `id` is -1, which is not shown. */
const idOf = (id: number) => (id < 0 ? 'with this id' : String(id));

interface RefusalKind<Data> {
  status: 404 | 409;
  /** What the kind means, and what an operator's program can do. The page of the problem contains both. */
  meaning: string;
  remedy: string;
  /** An example of the sentence. */
  example: string;
  /** Returns the reason as one sentence, without suggesting an operation, because `next` does that. */
  sentence: (data: Data) => string;
  /** Returns the operations that help, the most useful one first. Nearly all of them list what exists. */
  next?: (data: Data) => readonly Action[];
}

const suggest =
  (operation: string, input: Action['input'] = {}) =>
  () => [{ operation, input }];

function notFound(resource: string, list: string, input: Action['input'] = {}): RefusalKind<{ id: number }> {
  return {
    status: 404,
    meaning: `There is no ${resource} with this id.`,
    remedy: `Use an id from the list of ${resource}s.`,
    example: `There is no ${resource} 7.`,
    sentence: ({ id }) => `There is no ${resource} ${idOf(id)}.`,
    next: suggest(list, input),
  };
}

/** Every kind of refusal, by its code. */
export const REFUSALS: { readonly [Code in RefusalCode]: RefusalKind<RefusalData[Code]> } = {
  key_not_found: {
    status: 404,
    meaning: 'There is no API key with this id.',
    remedy: 'Use an id from the list of keys. The id is not the key itself.',
    example: 'There is no API key with this id.',
    sentence: () => 'There is no API key with this id.',
    next: suggest('keys.list'),
  },
  replay_not_found: notFound('replay', 'replay.list'),
  dead_letter_not_found: notFound('dead letter', 'dead-letters.list', { all: true }),
  audit_not_found: notFound('audit', 'audit.list'),
  lane_not_found: {
    status: 404,
    meaning: 'There is no lane with this number.',
    remedy: 'Use a number from the list of lanes, or a path without a lane.',
    example: 'There is no lane 7: the database has lanes 0 to 2.',
    sentence: ({ lane, last }) =>
      `There is no lane ${lane < 0 ? 'with this number' : lane}: the database has ${last === 0 ? 'only lane 0' : `lanes 0 to ${last}`}.`,
  },
  trip_not_found: {
    status: 404,
    meaning: 'The log has no trip with this id.',
    remedy: 'Check the id against the response that contained it. If the id is right, search the dead letters.',
    example: 'The log has no trip with this id: find trip ids in API responses or in the list of trips.',
    sentence: ({ trip_id }) =>
      `The log has no trip ${trip_id ?? 'with this id'}: find trip ids in API responses or in the list of trips.`,
  },
  driver_not_found: {
    status: 404,
    meaning: 'The log has no driver with this id in this fleet.',
    remedy: 'Check the fleet and the driver against the response that contained them, and percent-encode both.',
    example: 'The log has no driver "driver-00041" in fleet sunrise-delivery.',
    sentence: ({ fleet_id, driver_id }) =>
      `The log has no driver ${driver_id === null ? 'with this id' : JSON.stringify(driver_id)} in fleet ${fleet_id}.`,
  },
  replay_refused: {
    status: 409,
    meaning: 'The state of the replay, or of another replay, does not allow this. `detail` gives the reason.',
    remedy: 'Send one of the requests in `next`, if there are any.',
    example: 'Replay 7 is cancelled: there is nothing to pause.',
    sentence: ({ reason }) => replaySentence(reason),
    next: ({ reason }) => nextAfterReplay(reason),
  },
  fleet_moving: {
    status: 409,
    meaning: 'The fleet is being moved to another lane, so nothing was erased.',
    remedy: 'Repeat the request once the move has ended. The list of fleets with their lanes shows running moves.',
    example:
      'Fleet acme is being moved to lane 2: try again once the move has ended. If the move was interrupted, start it again to continue.',
    sentence: ({ fleet_id, lane }) =>
      `Fleet ${fleet_id} is being moved to lane ${lane}: try again once the move has ended. If the move was interrupted, start it again to continue.`,
  },
  erasure_refused: {
    status: 409,
    meaning: 'There is nothing to erase. `detail` gives the reason.',
    remedy: 'No action is needed: the data has been erased or never existed.',
    example: 'The driver has already been erased.',
    sentence: ({ fleet_id, reason }) =>
      reason.code === 'unknown'
        ? `The log has nothing about a driver with this id in fleet ${fleet_id}.`
        : `The driver has already been erased at position ${reason.position}, and the aggregates were ${reason.code === 'erased' ? 'erased too' : 'kept'}.`,
    next: ({ fleet_id, driver_id, reason }) =>
      reason.code === 'aggregates_kept' ? [{ operation: 'drivers.erase', input: { fleet_id, driver_id } }] : [],
  },
  session_not_found: {
    status: 404,
    meaning: 'The database has no session with this process id.',
    remedy: 'Use a process id from the list of sessions.',
    example: 'The database has no session 4711.',
    sentence: ({ pid }) => `The database has no session ${idOf(pid)}.`,
    next: suggest('sessions.list'),
  },
  session_refused: {
    status: 409,
    meaning: 'The session belongs to a login whose sessions Milepost is not allowed to end.',
    remedy: 'Ask the owner of the session or a PostgreSQL administrator to end it.',
    example:
      'Session 4711 belongs to the login postgres, whose sessions Milepost is not allowed to end: ask its owner or a PostgreSQL administrator to end it.',
    sentence: ({ pid, login }) =>
      `Session ${pid} belongs to ${login === null ? 'PostgreSQL itself' : `the login ${login}`}, whose sessions Milepost is not allowed to end: ask its owner or a PostgreSQL administrator to end it.`,
  },
  source_refused: {
    status: 409,
    meaning: 'The source has no fault, or there is no source with this name, so there is nothing to accept.',
    remedy: 'Use a topic and a partition from the status, which lists the sources that have a fault.',
    example: 'Source milepost.trips/0 has no fault to resolve.',
    sentence: ({ topic, partition }) =>
      `Source ${topic}${partition < 0 ? '' : `/${partition}`} has no fault to resolve.`,
    next: suggest('status'),
  },
  position_refused: {
    status: 409,
    meaning: 'The stored event cannot be set aside or put back in the current state. `detail` gives the reason.',
    remedy:
      'The status gives the position at which a projection has stopped. A list shows the positions that have been set aside.',
    example: 'Position 4711 has already been set aside.',
    sentence: ({ position, reason }) => positionSentence(position, reason),
    next: ({ reason }) => nextAfterPosition(reason),
  },
};

/** Returns the reason for a refusal as one sentence. */
export function refusalSentence<Code extends RefusalCode>(reason: RefusalReason<Code>): string {
  return REFUSALS[reason.code].sentence(reason);
}

/** Returns the operations that help after a refusal, the most useful one first. */
export function nextAfter<Code extends RefusalCode>(reason: RefusalReason<Code>): readonly Action[] {
  return REFUSALS[reason.code].next?.(reason) ?? [];
}
