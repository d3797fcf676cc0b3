import { HttpProblem, type ProblemOptions } from '@milepost/http';
import { PROBLEMS, type ProblemCode } from './codes.ts';

/** A request that is answered with an error. Thrown anywhere on its way; `detail` is one sentence for the consumer. */
export class Problem extends HttpProblem {
  constructor(code: ProblemCode, detail: string, options?: ProblemOptions) {
    super(code, PROBLEMS[code], detail, options);
  }
}
