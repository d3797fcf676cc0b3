export { discardDeadLetters, discardOpenDeadLetters } from './discard.ts';
export type { DeadLetterFilter, OpenDeadLetterFilter } from './filter.ts';
export { type DeadLetter, findDeadLetters, getDeadLetter } from './find.ts';
export { countOpenDeadLetters, openDeadLetterIds } from './open.ts';
export { REASON_CODES } from './reason.ts';
export { discardedInWords, retriedInWords } from './settled.ts';
