export { type AppendedBatch, append, appendTogether, type SourceBatch, SourceFencedError } from './append.ts';
export { chunkBySize } from './chunk-by-size.ts';
export { DEAD_LETTER_CHUNK_BYTES, keptOf, readChunks } from './dead-letter-bytes.ts';
export { FleetFencedError, fleetsOf, MoveTakenError, setFence } from './fences.ts';
export { advanceHead, lockHead, readHeadPosition } from './head.ts';
export { driverNameHash, tripNameHash } from './names.ts';
export { namesIn } from './names-in.ts';
export {
  fleetOf,
  gatherBytes,
  type IncomingRecord,
  type PreparedRecord,
  type Refusal,
  readArchivedRecord,
  readRecord,
} from './prepare.ts';
export { retryDeadLetters } from './retry-dead-letters.ts';
export {
  type AppendCounts,
  addKafkaFinding,
  claimFile,
  claimSource,
  clearSourceFault,
  endSource,
  holdSources,
  isSameRecord,
  type KafkaFinding,
  type LastRecord,
  lastRecordOf,
  listStoppedSources,
  markSourceFault,
  readSourceCounts,
  replaceKafkaFindings,
  type SourceClaim,
} from './sources.ts';
