import Type, { type TSchema } from 'typebox';
import { OperatorHeader } from '../request/operator.ts';

/** A value, or null with the meaning that the value's description gives it. */
export function nullable<Schema extends TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()]);
}

export const Time = Type.String({ format: 'date-time' });

export const Day = Type.String({ format: 'date', description: 'A day in UTC, such as 2025-01-31.' });

/** What every changing request may carry. */
export const operatorHeaders = Type.Object({
  'Milepost-Operator': Type.Optional(Type.Unsafe<string>(OperatorHeader)),
});

/** The id in a path, which is read by `readId`. */
export function idParams(description: string) {
  return Type.Object({ id: Type.Integer({ minimum: 1, description }) });
}

export const FLEET_ID = '^[A-Za-z0-9_-]{1,64}$';

export const FleetId = Type.String({
  pattern: FLEET_ID,
  description: '1 to 64 of the characters A-Z, a-z, 0-9, _ and -.',
});

/** A driver in a path. */
export const driverParams = Type.Object({
  fleet_id: FleetId,
  driver_id: Type.String({ description: 'As records have it, percent-encoded.' }),
});
