import { isCalendarDate } from '@milepost/domain/calendar';
import { type Check, createCompiler, type ParameterError } from '@milepost/validation';
import type { TObject } from 'typebox';

/** A fault in one input parameter. */
export type InputError = ParameterError;

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/;

const compile = createCompiler({
  formats: {
    date: isCalendarDate,
    // By itself, `Date.parse` accepts 30 February and returns a day in March.
    'date-time': (text) => TIME.test(text) && isCalendarDate(text.slice(0, 10)) && !Number.isNaN(Date.parse(text)),
  },
});

/**
 * Returns a function that checks a query's strings, or JSON, against a schema. The schema is compiled on the first
 * check.
 */
export function checkOf(schema: TObject, source: 'query' | 'json' = 'json'): Check {
  let check: Check | undefined;
  return (input) => {
    check ??= compile(schema, source);
    return check(input);
  };
}
