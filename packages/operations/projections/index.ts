export { type GenerationState, listProjections, type ProjectionState } from './list.ts';
export { showProjections } from './show-all.ts';
