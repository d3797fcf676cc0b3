import { isCalendarDate } from '@milepost/domain/calendar';
import { type Check, createCompiler } from '@milepost/http/check';
import type { TObject } from 'typebox';

/** What is wrong with one parameter of an input. */
export type InputError = ReturnType<Check>[number];

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/;

const compile = createCompiler({
  formats: {
    date: isCalendarDate,
    // Date alone would take 30 February for a day in March.
    'date-time': (text) => TIME.test(text) && isCalendarDate(text.slice(0, 10)) && !Number.isNaN(Date.parse(text)),
  },
});

/** The check of inputs by their schema: of texts from a query string, or of JSON. It is made at the first input. */
export function checkOf(schema: TObject, source: 'query' | 'json' = 'json'): Check {
  let check: Check | undefined;
  return (input) => {
    check ??= compile(schema, source);
    return check(input);
  };
}
