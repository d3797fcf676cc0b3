export { listOperations, type Operation, type OperationFilter } from './list.ts';
export { type Attempt, type OperationResult, type Outcome, recordOperation, type Via } from './record.ts';
export { RefusedError, recorded } from './recorded.ts';
