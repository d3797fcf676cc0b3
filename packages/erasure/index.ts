export {
  eraseDriver,
  type NothingToErase,
  NothingToEraseError,
  pseudonymOf,
} from './erase-driver.ts';
export { eraseLettersAbout, listSourceTripIds, previewErasure } from './log.ts';
