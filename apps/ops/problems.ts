import { COMMON_PROBLEMS, type ProblemKinds, problemsOf } from '@milepost/http';
import { REFUSALS } from '@milepost/operations/refusal';

/** The closed list of what can go wrong. An operator's program may rely on `code`. */
export const PROBLEMS = {
  ...COMMON_PROBLEMS,
  unauthorized: {
    status: 401,
    meaning: 'The token is missing or wrong, or the service was started without OPS_TOKEN.',
    remedy: 'Send one header `Authorization: Bearer <token>` with the value of OPS_TOKEN.',
    example: 'There must be one header Authorization: "Bearer" and the value of OPS_TOKEN.',
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

/** A request that is answered with an error. Thrown anywhere on its way; `detail` is one sentence for the operator. */
export class Problem extends problemsOf(PROBLEMS) {}
