export { controlReplayRoutes } from './control.ts';
export { listReplaysRoute } from './list.ts';
export { promoteReplayRoute } from './promote.ts';
export { showReplayRoute } from './show.ts';
export { startReplayRoute } from './start.ts';
export { throttleReplayRoute } from './throttle.ts';
