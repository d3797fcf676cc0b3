export { stopBuilding } from './building.ts';
export { cancelReplay, dropReplay, pauseReplay, promoteReplay, resumeReplay, throttleReplay } from './control.ts';
export { ReplayNotFoundError, type ReplayRefusal, ReplayRefusedError } from './errors.ts';
export { findRunnable, listOpenReplays, listReplays, showReplay } from './progress.ts';
export {
  type DifferenceSample,
  inSql,
  type Phase,
  RESTING_PHASES,
  ReplayView,
  type TableVerification,
  Throttle,
  type Verification,
  VerificationSummary,
} from './replay.ts';
export { ALL, lockRequests, projectionsNamed, type Started } from './requests.ts';
export { findExpired, findOutdated, hasRowsBefore } from './retention.ts';
export { rollBack } from './roll-back.ts';
export { type RunReplayOptions, runReplay } from './run-replay.ts';
export { startReplay } from './start.ts';
