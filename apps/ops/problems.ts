import { COMMON_PROBLEMS } from '@milepost/http/common-problems';
import { type ProblemKinds, problemsOf } from '@milepost/http/problem';
import type { RefusalCode } from '@milepost/operations/refusal';

const REFUSALS = {
  key_not_found: {
    status: 404,
    meaning: 'There is no API key with this id.',
    remedy: 'Use an id from the list of keys. The id is not the key itself.',
    example: 'There is no API key with this id.',
  },
  replay_not_found: {
    status: 404,
    meaning: 'There is no replay with this id.',
    remedy: 'Use an id from the list of replays.',
    example: 'There is no replay 7.',
  },
  dead_letter_not_found: {
    status: 404,
    meaning: 'There is no dead letter with this id.',
    remedy: 'Use an id from the list of dead letters.',
    example: 'There is no dead letter 7.',
  },
  audit_not_found: {
    status: 404,
    meaning: 'There is no audit with this id.',
    remedy: 'Use an id from the list of audits.',
    example: 'There is no audit 7.',
  },
  lane_not_found: {
    status: 404,
    meaning: 'There is no lane with this number.',
    remedy: 'Use a number from the list of lanes, or a path without a lane.',
    example: 'There is no lane 7: the database has lanes 0 to 2.',
  },
  trip_not_found: {
    status: 404,
    meaning: 'The log has no trip with this id.',
    remedy: 'Check the id against the response that contained it. If the id is right, search the dead letters.',
    example: 'The log has no trip with this id: find trip ids in API responses or in the list of trips.',
  },
  driver_not_found: {
    status: 404,
    meaning: 'The log has no driver with this id in this fleet.',
    remedy: 'Check the fleet and the driver against the response that contained them, and percent-encode both.',
    example: 'The log has no driver "driver-00041" in fleet sunrise-delivery.',
  },
  replay_refused: {
    status: 409,
    meaning: 'The state of the replay, or of another replay, does not allow this. `detail` gives the reason.',
    remedy: 'Send one of the requests in `next`, if there are any.',
    example: 'Replay 7 is cancelled: there is nothing to pause.',
  },
  fleet_moving: {
    status: 409,
    meaning: 'The fleet is being moved to another lane, so nothing was erased.',
    remedy: 'Repeat the request once the move has ended. The list of fleets with their lanes shows running moves.',
    example:
      'Fleet acme is being moved to lane 2: try again once the move has ended. If the move was interrupted, start it again to continue.',
  },
  erasure_refused: {
    status: 409,
    meaning: 'There is nothing to erase. `detail` gives the reason.',
    remedy: 'No action is needed: the data has been erased or never existed.',
    example: 'The driver has already been erased.',
  },
  session_not_found: {
    status: 404,
    meaning: 'The database has no session with this process id.',
    remedy: 'Use a process id from the list of sessions.',
    example: 'The database has no session 4711.',
  },
  session_refused: {
    status: 409,
    meaning: 'The session belongs to a login whose sessions Milepost is not allowed to end.',
    remedy: 'Ask the owner of the session or a PostgreSQL administrator to end it.',
    example:
      'Session 4711 belongs to the login postgres, whose sessions Milepost is not allowed to end: ask its owner or a PostgreSQL administrator to end it.',
  },
  source_refused: {
    status: 409,
    meaning: 'The source has no fault, or there is no source with this name, so there is nothing to accept.',
    remedy: 'Use a topic and a partition from the status, which lists the sources that have a fault.',
    example: 'Source milepost.trips/0 has no fault to resolve.',
  },
  position_refused: {
    status: 409,
    meaning: 'The stored event cannot be set aside or put back in the current state. `detail` gives the reason.',
    remedy:
      'The status gives the position at which a projection has stopped. A list shows the positions that have been set aside.',
    example: 'Position 4711 has already been set aside.',
  },
} as const satisfies Record<RefusalCode, ProblemKinds[string]>;

/** All problems of the operators' API. The list is closed, so an operator's program may rely on `code`. */
export const PROBLEMS = {
  ...COMMON_PROBLEMS,
  unauthorized: {
    status: 401,
    meaning: 'The token is missing or wrong, or the service was started without OPS_TOKEN.',
    remedy: 'Send exactly one `Authorization` header: `Bearer <token>`, with the value of OPS_TOKEN.',
    example: 'Send exactly one Authorization header: "Bearer", a space and the value of OPS_TOKEN.',
  },
  ...REFUSALS,
  body_too_large: {
    status: 413,
    meaning: 'The body of the request exceeds 256 KiB.',
    remedy: 'Split the request into smaller ones.',
    example: 'Request body is too large.',
  },
} as const satisfies ProblemKinds;

export type ProblemCode = keyof typeof PROBLEMS;

/** An error that the API sends as a response. `detail` is one sentence for the operator. */
export class Problem extends problemsOf(PROBLEMS) {}
