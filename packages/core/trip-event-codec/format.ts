/**
 * The codec of trip events, which is lossless, compact and protected by a checksum. The codec omits names, because they
 * follow from the types. A number is stored as the characters of its JSON text, one nibble each. A trip event ends near
 * its start, so most numbers begin with the same characters as the previous number of the same kind. The codec omits
 * this common prefix.
 *
 * The bytes are the format (8 bits), nibbles (the low nibble first), and a checksum. A trip event consists of its type
 * and its numbers. A number consists of the count of omitted characters, the other characters and `END`. The first
 * number of each kind has no count. `END` in place of a type ends the list.
 */

import { TRIP_EVENT_TYPES } from '@milepost/domain/vocabulary';

export const FORMAT = 1;
/** A nibble is the index of a type or a character, a count of omitted characters, or the end. */
export const TYPES = Object.values(TRIP_EVENT_TYPES);
export const NIBBLES = { CHARACTERS: '0123456789.-e+', END: 15 };

/** The kinds of numbers. */
const [TIME, LATITUDE, LONGITUDE, SPEED, SPEED_LIMIT] = [0, 1, 2, 3, 4] as const;
/** The fields of every trip event, with the kind of each. */
export const FIELDS = [
  { name: 'event_start_timestamp', kind: TIME },
  { name: 'event_end_timestamp', kind: TIME },
  { name: 'event_start_latitude', kind: LATITUDE },
  { name: 'event_start_longitude', kind: LONGITUDE },
  { name: 'event_end_latitude', kind: LATITUDE },
  { name: 'event_end_longitude', kind: LONGITUDE },
] as const;
/** The fields in the data of an overspeeding trip event. */
export const SPEEDS = [
  { name: 'user_speed_mph', kind: SPEED },
  { name: 'speed_limit_mph', kind: SPEED_LIMIT },
  { name: 'max_user_speed_mph', kind: SPEED },
] as const;

export const FORMAT_HALVES = 2;
