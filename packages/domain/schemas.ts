import Type, { type TSchema } from 'typebox';

/** A value, or null with the meaning that the value's description gives it. */
export function nullable<Schema extends TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()]);
}

/** A moment: a Date within the process, text as JSON. */
export const Time = Type.Unsafe<Date>({ type: 'string', format: 'date-time' });

/** A moment that is text already, as in reports that are kept as JSON. */
export const TimeText = Type.String({ format: 'date-time' });

export const Day = Type.String({ format: 'date', description: 'A day in UTC, such as 2025-01-31.' });
