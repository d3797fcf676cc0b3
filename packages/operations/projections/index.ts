export { type GenerationState, listProjections, type ProjectionState } from './list.ts';
