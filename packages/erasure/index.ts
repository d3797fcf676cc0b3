export {
  eraseDriver,
  type NothingToErase,
  NothingToEraseError,
  pseudonymOf,
} from './erase-driver.ts';
export { countWhatGoes } from './log.ts';
