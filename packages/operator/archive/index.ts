export { readFleetRecords } from './copy.ts';
export { exportArchive } from './export.ts';
export { type VerifiedArchive, verifyArchive } from './verify.ts';
