import Type, { type Static } from 'typebox';
import { Nullable } from './nullable.ts';

const Text = Type.String();
const Day = Type.String({ format: 'date' });

export const Driver = Type.Object(
  {
    driver_id: Type.String(),
    first_name: Nullable<string>(Text),
    last_name: Nullable<string>(Text),
    email: Nullable<string>(Text),
    alias: Nullable<string>(Text),
    first_travel_date: Nullable<string>(Day),
    last_travel_date: Nullable<string>(Day),
  },
  { description: 'A driver of the fleet. Every field but `driver_id` may be null.' },
);
export type Driver = Static<typeof Driver>;
