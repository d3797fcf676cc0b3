export { type EraseRequest, type Erasure, eraseDriver, erasedInWords, pseudonymOf } from './erase-driver.ts';
