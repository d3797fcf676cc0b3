/** The version of the rules in this folder. If you change a figure, raise the version and replay the read tables. */
export const SCORE_VERSION = 1;

/** The areas of the score, in the order in which their lost points are added. */
export const DRIVING_AREAS = ['phone', 'speed', 'brake', 'acceleration', 'night'] as const;
export type DrivingArea = (typeof DRIVING_AREAS)[number];

/** Miles and seconds added to every total, so that a little driving has less effect on a score. */
export const CREDIBILITY_MILES = 10;
export const CREDIBILITY_SECONDS = 1200;

/** The rates that halve a sub-score, as a percentage of time or in trip events per 100 miles. */
export const PHONE_TIME_HALVING_PERCENT = 4;
export const PHONE_USE_HALVING_RATE = 100;
export const SPEED_TIME_HALVING_PERCENT = 8;
export const OVERSPEEDING_HALVING_RATE = 70;
export const BRAKE_HALVING_RATE = 13;
export const ACCELERATION_HALVING_RATE = 15;
export const NIGHT_TIME_HALVING_PERCENT = 50;

/** The maximum number of points that each area can cost. These maximums add up to the full score. */
export const FULL_SCORE = 100;
export const WEIGHTS: Readonly<Record<DrivingArea, number>> = {
  phone: 35,
  speed: 30,
  brake: 20,
  acceleration: 10,
  night: 5,
};

/** The lowest rounded score of each grade. Below `FAIR_FROM`, the grade is `poor`. */
export const EXCELLENT_FROM = 85;
export const GOOD_FROM = 70;
export const FAIR_FROM = 50;

/**
 * There are two reasons why an area is in focus: it costs at least this many points and at least this fraction of all
 * lost points, or its sub-score is below this limit.
 */
export const FOCUS_POINTS_LOST = 3;
export const FOCUS_SHARE_LOST = 0.3;
export const FOCUS_SUB_SCORE_BELOW = 60;
