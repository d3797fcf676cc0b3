export { type AskEndOffsets, readEndOffsets } from './end-offsets.ts';
export { type Readiness, readReadiness } from './readiness.ts';
export { showStatus } from './show.ts';
