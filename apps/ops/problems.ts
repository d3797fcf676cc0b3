import { COMMON_PROBLEMS } from '@milepost/http/common-problems';
import { type ProblemKinds, problemsOf } from '@milepost/http/problem';
import { REFUSALS } from '@milepost/operations/refusals';

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
