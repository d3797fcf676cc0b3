export { discardDeadLettersRoute } from './discard.ts';
export { listDeadLettersRoute } from './list.ts';
export { retryDeadLettersRoute } from './retry.ts';
export { showDeadLetterRoute } from './show.ts';
