import Type from 'typebox';

export const EventSummary = Type.Object(
  {
    phone_use_count: Type.Integer(),
    rapid_acceleration_count: Type.Integer(),
    hard_brake_count: Type.Integer(),
    overspeeding_count: Type.Integer(),
    phone_use_time_seconds: Type.Number(),
    overspeeding_time_seconds: Type.Number(),
  },
  { description: 'Counts and durations of driving events.' },
);
