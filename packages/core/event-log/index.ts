export { type AppendedBatch, appendTogether, type SourceBatch, SourceFencedError } from './append.ts';
export { chunkBySize } from './chunk-by-size.ts';
export { DEAD_LETTER_CHUNK_BYTES, keptOf, readChunks } from './dead-letter-bytes.ts';
export { FleetFencedError, fleetsOf, MoveTakenError, setFence } from './fences.ts';
export { advanceHead, lockHead, readHeadPosition } from './head.ts';
export { addKafkaFinding, type KafkaFinding, replaceKafkaFindings } from './kafka-findings.ts';
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
export {
  type AppendCounts,
  claimFile,
  claimSource,
  clearSourceFault,
  endSource,
  holdSources,
  isSameRecord,
  type LastRecord,
  lastRecordOf,
  listStoppedSources,
  markSourceFault,
  readSourceCounts,
  type SourceClaim,
} from './sources.ts';
