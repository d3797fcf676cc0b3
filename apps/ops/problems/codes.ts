import { COMMON_PROBLEMS, type ProblemKinds } from '@milepost/http';
import { REFUSALS } from '@milepost/operations/refusal';

/** The closed list of what can go wrong. An operator's program may rely on `code`. */
export const PROBLEMS = {
  ...COMMON_PROBLEMS,
  unauthorized: {
    status: 401,
    title: 'Unauthorized',
    meaning: 'The token is missing or wrong, or the service was started without OPS_TOKEN.',
  },
  ...REFUSALS,
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    meaning: 'The path answers other methods: `Allow` names them.',
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
} as const satisfies ProblemKinds;

export type ProblemCode = keyof typeof PROBLEMS;
