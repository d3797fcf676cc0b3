import type { ParameterError } from '@milepost/http';

/** What to say of a parameter that is none of the `known` ones. */
export function unknownParameter(parameter: string, known: readonly string[]): ParameterError {
  const [only, ...others] = known;
  if (only === undefined) return { parameter, message: 'Not known here: there are no parameters.' };
  if (others.length === 0) return { parameter, message: `Not known here: the only parameter is ${only}.` };
  return { parameter, message: `Not known here: the parameters are ${known.join(', ')}.` };
}
