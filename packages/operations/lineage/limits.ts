/** Most stored events that a trace shows; no trip or day of sound data comes near. */
export const LIMIT_EVENTS = 5_000;

/** Most duplicates that a trace shows. */
export const LIMIT_DUPLICATES = 1_000;
