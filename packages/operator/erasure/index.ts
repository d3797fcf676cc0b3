export { cleanUp } from './clean-up.ts';
export { type NothingToErase, NothingToEraseError, pseudonymOf } from './erase-driver.ts';
export { eraseInLanes } from './erase-in-lanes.ts';
export { previewErasure } from './log.ts';
