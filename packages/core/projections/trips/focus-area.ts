import type { TripFocusArea } from '../resources.ts';

/** The flags, in the order of their bits. */
export const FLAGS = ['is_phone_use', 'is_rapid_acceleration', 'is_hard_brake', 'is_overspeeding'] as const;

/** Returns a trip's focus flags as bits. The first flag of the interface is the lowest bit. */
export function packFocusArea(area: TripFocusArea): number {
  return FLAGS.reduce((bits, flag, index) => bits | (Number(area[flag]) << index), 0);
}

/** JSON of the focus area for each value that `packFocusArea` returns. */
export const FOCUS_AREA_JSON: readonly string[] = Array.from({ length: 2 ** FLAGS.length }, (_, bits) =>
  JSON.stringify(Object.fromEntries(FLAGS.map((flag, index) => [flag, (bits & (1 << index)) !== 0]))),
);
