export { type RetriedDeadLetter, retryDeadLetters } from './retry.ts';
