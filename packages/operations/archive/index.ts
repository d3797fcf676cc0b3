export { type ExportArchiveOptions, type ExportedArchive, exportArchive } from './export-archive.ts';
export type { ArchiveDifference, VerifiedArchive } from './verification.ts';
export { type VerifyArchiveOptions, verifyArchive } from './verify-archive.ts';
