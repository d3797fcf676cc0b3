import Type, { type Static } from 'typebox';
import { deadLetterFields } from '../dead-letters/schemas.ts';
import { nullable, Time } from '../schemas.ts';

/** Where a record came from: of a file, `partition` is the number of the run, `offset` the line. */
const origin = { topic: Type.String(), partition: Type.Integer(), offset: Type.Integer() };
const Milliseconds = nullable(Type.Integer({ description: 'Epoch milliseconds; null where the kind has none.' }));

const storedEvent = {
  position: Type.Integer(),
  kind: Type.String({ description: '`trip.processed`, `trip.deleted`, `driver.profile` or `driver.erased`.' }),
  revision: Type.Integer(),
  state: Type.Enum(['current', 'superseded', 'without_effect'], {
    description: '`current`: answers are made from it. `without_effect`: it was older than what the log held already.',
  }),
  fleet_id: Type.String(),
  driver_id: nullable(Type.String()),
  trip_id: nullable(Type.String()),
  source_trip_id: nullable(Type.String()),
  trip_start_time: Milliseconds,
  trip_end_time: Milliseconds,
  stored_at: Time,
  ...origin,
  effective: Type.Boolean(),
  supersedes: nullable(Type.Integer({ description: 'The position of what it took the place of.' })),
  superseded_by: nullable(Type.Integer()),
};

export const StoredEvent = Type.Object(storedEvent, { $id: 'StoredEvent' });
export type TracedEvent = Static<typeof StoredEvent>;

export const CountedEvent = Type.Object(
  {
    ...storedEvent,
    counted: Type.Boolean({ description: "The day's sums include it now." }),
  },
  { $id: 'CountedEvent' },
);

export const Duplicate = Type.Object({ position: Type.Integer(), received_at: Time, ...origin }, { $id: 'Duplicate' });

const TracedLetter = Type.Object({
  ...deadLetterFields,
  match: Type.Enum(['parsed', 'text'], {
    description: 'Its fields say that it is about this, or, as it is no JSON object, its text does.',
  }),
});
export type TracedDeadLetter = Static<typeof TracedLetter>;

/** What every trace has beside its stored events. */
export const traceFields = {
  answer_position: Type.Integer({ description: 'Answers show the log up to here.' }),
  duplicates: Type.Array(Duplicate, {
    description: 'Records whose content the stored event at `position` held already.',
  }),
  dead_letters: Type.Array(TracedLetter),
  incomplete: Type.Array(Type.String(), { description: 'Lists that may lack entries, as a limit was reached.' }),
};
