/** Version of the rules in this folder. Whoever changes a figure here raises it; the read tables then need a replay. */
export const SCORE_VERSION = 1;

/** What the score looks at, in the order in which points are lost and added up. */
export const DRIVING_AREAS = ['phone', 'speed', 'brake', 'acceleration', 'night'] as const;
export type DrivingArea = (typeof DRIVING_AREAS)[number];

/** Short driving moves a score less: the miles and the seconds that every total is diluted with. */
export const CREDIBILITY_MILES = 10;
export const CREDIBILITY_SECONDS = 1200;

/** Rates that halve a sub-score: percent of the time, and trip events per 100 miles. */
export const PHONE_TIME_HALVING_PERCENT = 4;
export const PHONE_USE_HALVING_RATE = 100;
export const SPEED_TIME_HALVING_PERCENT = 8;
export const OVERSPEEDING_HALVING_RATE = 70;
export const BRAKE_HALVING_RATE = 13;
export const ACCELERATION_HALVING_RATE = 15;
export const NIGHT_TIME_HALVING_PERCENT = 50;

/** Points that an area can cost; together the full score. */
export const FULL_SCORE = 100;
export const WEIGHTS: Readonly<Record<DrivingArea, number>> = {
  phone: 35,
  speed: 30,
  brake: 20,
  acceleration: 10,
  night: 5,
};

/** Lowest rounded score of each grade; below the last one a score is `poor`. */
export const EXCELLENT_FROM = 85;
export const GOOD_FROM = 70;
export const FAIR_FROM = 50;

/** An area is in focus when it costs this many points and this share of all points lost, or when it is this weak. */
export const FOCUS_POINTS_LOST = 3;
export const FOCUS_SHARE_LOST = 0.3;
export const FOCUS_SUB_SCORE_BELOW = 60;
