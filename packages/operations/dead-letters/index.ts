export { MOST_LETTERS } from './choice.ts';
export { discard, discardDeadLetters } from './discard.ts';
export { findDeadLetters, listDeadLetters } from './list.ts';
export { countOpenDeadLetters, openDeadLetterIds } from './open.ts';
export type { DeadLetter, DeadLetterFilter } from './resource.ts';
export { retry } from './retry.ts';
export { showDeadLetter } from './show.ts';
