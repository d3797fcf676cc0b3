export { cleanUp } from './clean-up.ts';
export {
  eraseDriver,
  type NothingToErase,
  NothingToEraseError,
  pseudonymOf,
} from './erase-driver.ts';
export { findInCopy, isNamedInLetters, listErasedTrips, previewErasure } from './log.ts';
