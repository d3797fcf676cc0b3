import { COMMON_PROBLEMS, type ProblemKinds } from '@milepost/http';

/** The closed list of what can go wrong. An operator's program may rely on `code`. */
export const PROBLEMS = {
  ...COMMON_PROBLEMS,
  unauthorized: {
    status: 401,
    title: 'Unauthorized',
    meaning: 'The token is missing or wrong, or the service was started without OPS_TOKEN.',
  },
  key_not_found: { status: 404, title: 'Key not found', meaning: 'There is no API key with this id.' },
  replay_not_found: { status: 404, title: 'Replay not found', meaning: 'There is no replay with this id.' },
  dead_letter_not_found: {
    status: 404,
    title: 'Dead letter not found',
    meaning: 'There is no dead letter with this id.',
  },
  audit_not_found: { status: 404, title: 'Audit not found', meaning: 'There is no audit with this id.' },
  trip_not_found: { status: 404, title: 'Trip not found', meaning: 'The log has no trip with this id.' },
  driver_not_found: {
    status: 404,
    title: 'Driver not found',
    meaning: 'Neither the log nor a dead letter names this driver.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    meaning: 'The path answers other methods: `Allow` names them.',
  },
  replay_refused: {
    status: 409,
    title: 'Replay refused',
    meaning: 'As things stand, this makes no sense or would do harm: `detail` says why, and what would be right.',
  },
  erasure_refused: {
    status: 409,
    title: 'Erasure refused',
    meaning: 'There is nothing to erase: `detail` says why.',
  },
  source_refused: {
    status: 409,
    title: 'Source refused',
    meaning: 'The source does not stand still, or there is none of this name: there is nothing to accept.',
  },
  body_too_large: { status: 413, title: 'Body too large', meaning: 'The body of the request exceeds 256 KiB.' },
  unsupported_media_type: {
    status: 415,
    title: 'Unsupported media type',
    meaning: 'The body is not `application/json`.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    meaning: 'The requests of this minute are used up; try again after `Retry-After` seconds.',
  },
  queue_unavailable: {
    status: 503,
    title: 'Queue unavailable',
    meaning: 'The queue of jobs does not answer; try again after `Retry-After` seconds.',
  },
} as const satisfies ProblemKinds;

export type ProblemCode = keyof typeof PROBLEMS;
