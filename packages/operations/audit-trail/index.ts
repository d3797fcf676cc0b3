export { listOperations } from './list.ts';
export { type OperationResult, recordOperation } from './record.ts';
export { recorded } from './recorded.ts';
