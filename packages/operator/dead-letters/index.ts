export {
  countOpenDeadLetters,
  DEAD_LETTER,
  type DeadLetterFilter,
  discardDeadLetters,
  findDeadLetters,
  firstOpenIds,
  groupDeadLetters,
  MAX_DEAD_LETTERS,
  selectDeadLetters,
} from './letters.ts';
export { openRecord } from './record.ts';
