export { readFleetRecords } from './copy.ts';
export { exportArchive } from './export.ts';
export { verifyArchive } from './verify.ts';
