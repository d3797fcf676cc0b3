export {
  type EraseRequest,
  type Erasure,
  eraseDriver,
  type NothingToErase,
  NothingToEraseError,
  pseudonymOf,
} from './erase-driver.ts';
