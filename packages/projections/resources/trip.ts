import Type, { type Static } from 'typebox';
import { EventSummary } from './event-summary.ts';
import { Nullable } from './nullable.ts';

const EpochMilliseconds = Type.Integer({ description: 'Epoch time in milliseconds, UTC.' });

export const TripListEntry = Type.Object({
  trip_id: Type.String({ description: '32 lowercase hexadecimal digits.' }),
  driver_id: Type.String(),
  trip_start_time: EpochMilliseconds,
  trip_end_time: EpochMilliseconds,
  duration_seconds: Type.Number(),
  distance_miles: Type.Number(),
  insurance_period: Nullable<number>(Type.Integer({ description: '1, 2, 3 or null.' })),
  start_latitude: Type.Number(),
  start_longitude: Type.Number(),
  end_latitude: Type.Number(),
  end_longitude: Type.Number(),
  night_driving_seconds: Type.Number(),
  highway_miles: Type.Number(),
  night_driving_miles: Type.Number(),
  event_summary: EventSummary,
});
export type TripListEntry = Static<typeof TripListEntry>;

export const TrailPoint = Type.Object({
  timestamp: EpochMilliseconds,
  latitude: Type.Number(),
  longitude: Type.Number(),
  course: Type.Number({ description: 'Heading in degrees relative to North.' }),
});

export const TripEvent = Type.Object({
  event_type: Type.Integer({
    description: '1 RAPID_ACCELERATION, 2 HARD_BRAKE, 7 PHONE_USE, 9 OVERSPEEDING.',
  }),
  event_name: Type.String(),
  event_start_timestamp: EpochMilliseconds,
  event_end_timestamp: EpochMilliseconds,
  event_start_latitude: Type.Number(),
  event_start_longitude: Type.Number(),
  event_end_latitude: Type.Number(),
  event_end_longitude: Type.Number(),
  event_data: Type.Object(
    {
      user_speed_mph: Type.Optional(Type.Number()),
      speed_limit_mph: Type.Optional(Type.Number()),
      max_user_speed_mph: Type.Optional(Type.Number()),
    },
    { description: 'Empty, except for OVERSPEEDING, where all three are there.' },
  ),
});

export const TripFocusArea = Type.Object({
  is_phone_use: Type.Boolean(),
  is_rapid_acceleration: Type.Boolean(),
  is_hard_brake: Type.Boolean(),
  is_overspeeding: Type.Boolean(),
});
export type TripFocusArea = Static<typeof TripFocusArea>;

export const TripDetail = Type.Object({
  ...TripListEntry.properties,
  focus_area: TripFocusArea,
  trail_path: Type.Array(TrailPoint),
  events: Type.Array(TripEvent),
});
