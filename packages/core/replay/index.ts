export { stopGenerations } from './building.ts';
export { cancelReplay, dropReplay, pauseReplay, promoteReplay, resumeReplay, throttleReplay } from './control.ts';
export { ReplayNotFoundError, type ReplayRefusal, ReplayRefusedError } from './errors.ts';
export {
  findRunnable,
  listOpenReplays,
  listReplays,
  type ReplayControl,
  type ReplayView,
  showReplay,
} from './progress.ts';
export { inSql, PHASES, type Phase, RESTING_PHASES } from './replay.ts';
export { ALL, projectionsNamed, type Started } from './requests.ts';
export { findExpired, findOutdated, hasRowsBefore } from './retention.ts';
export { rollBack } from './roll-back.ts';
export { type RunReplayOptions, runReplay } from './run-replay.ts';
export { type PositionRefusal, PositionRefusedError, putBack, setAside } from './set-aside.ts';
export { startReplay } from './start.ts';
