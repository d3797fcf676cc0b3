import { isSameRecord, lastRecordOf, type SourceClaim, SourceFencedError } from '@milepost/event-log';
import { backoffMilliseconds, isPassingFault } from '@milepost/postgres';
import { type Logger, messageOf } from '@milepost/service';
import type { Consumer, EachBatchPayload } from 'kafkajs';
import { RecordBatcher } from '../records/batcher.ts';
import type { RecordReader } from '../records/record-reader.ts';
import { SourceStoppedError } from './errors.ts';
import { withHeartbeats } from './heartbeat.ts';
import type { JointAppender } from './joint-appender.ts';
import { type PartitionClaims, startOf } from './partition-claims.ts';

/** How long a partition rests after another process has claimed it, until the group has settled who owns it. */
const FENCED_PAUSE_MILLISECONDS = 3_000;

export interface BatchContext {
  reader: RecordReader;
  appender: JointAppender;
  consumer: Pick<Consumer, 'seek'>;
  claims: PartitionClaims;
  logger: Logger;
  /** Told after each batch that was stored. */
  onStored: () => void;
}

/** Makes the handler of one consumer's batches. */
export function createBatchHandler(context: BatchContext): (payload: EachBatchPayload) => Promise<void> {
  const { claims, logger } = context;
  const faults = new Map<string, number>();

  /** Stops fetching the partition for a while; what was fetched is dropped and comes again. */
  function rest({ batch, pause }: EachBatchPayload, milliseconds: number): void {
    const resume = pause();
    claims.drop(batch.topic, batch.partition);
    setTimeout(resume, milliseconds).unref();
  }

  return async (payload) => {
    const { topic, partition } = payload.batch;
    const source = `${topic}/${partition}`;
    // Fetched before the partition was paused.
    if (claims.isStopped(topic, partition)) return;
    try {
      await withHeartbeats(payload.heartbeat, () => storeBatch(context, payload));
      faults.delete(source);
    } catch (error) {
      if (error instanceof SourceFencedError) {
        logger.warn({ topic, partition, reason: error.message }, 'partition was claimed by another process');
        rest(payload, FENCED_PAUSE_MILLISECONDS);
      } else if (error instanceof SourceStoppedError) {
        await claims.stop(error);
      } else if (isPassingFault(error)) {
        const attempt = faults.get(source) ?? 0;
        faults.set(source, attempt + 1);
        const milliseconds = backoffMilliseconds(attempt);
        const reason = messageOf(error);
        logger.warn({ topic, partition, reason, delay_milliseconds: milliseconds }, 'batch not stored: trying again');
        rest(payload, milliseconds);
      } else {
        throw error;
      }
    }
  };
}

/**
 * The claim to store the batch with; null when the batch begins elsewhere than where the log goes on, or with the last
 * record read as long as that is to be compared. Then it is asked for again from the last record, once per claim: what comes
 * next is all there is. Later offsets are a gap that the broker made (compaction, control records), unless records were
 * removed; earlier ones mean that the topic was made anew.
 */
async function confirmStart(
  { claims }: BatchContext,
  batch: EachBatchPayload['batch'],
  claim: SourceClaim,
): Promise<SourceClaim | null> {
  const first = Number(batch.firstOffset());
  const start = startOf(claim);
  if (first !== start) {
    if (claims.seekAgain(claim)) return null;
    // What was removed before the source was ever read is no gap.
    if (claim.nextOffset > 0) await claims.checkHeld(claim);
    if (first < start) throw SourceStoppedError.outOfRange(claim, first, Number(batch.highWatermark));
  }
  const { last, confirmed, stopped } = claim;
  if (last === null || confirmed) return claim;
  if (first === last.offset) {
    const message = batch.messages.find(({ offset }) => Number(offset) === first);
    const found = message && lastRecordOf(first, Number(message.timestamp), message.value);
    if (!found || !isSameRecord(last, found)) throw SourceStoppedError.madeAnew(claim, first);
  } else if (stopped !== null) {
    // Compaction has taken the record, so nothing says that the cause is gone.
    throw new SourceStoppedError(claim, stopped);
  }
  return await claims.confirm(claim);
}

async function storeBatch(context: BatchContext, payload: EachBatchPayload): Promise<void> {
  const { batch, isRunning, isStale, resolveOffset } = payload;
  const { topic, partition } = batch;
  const taken = await context.claims.claim(topic, partition);
  if (isStale()) return;
  const confirmed = await confirmStart(context, batch, taken);
  if (confirmed === null) return;

  let claim = confirmed;
  const { nextOffset: start } = claim;
  const messages = batch.messages.filter(({ offset }) => Number(offset) >= start);
  if (messages.length === 0) {
    // Not resolved: what may follow in the batch are control records, which count as read once a fetch begins with them.
    context.consumer.seek({ topic, partition, offset: String(start) });
    return;
  }
  // The records after which control records end the batch: the log's offset must pass those too.
  const endOffset = Number(batch.lastOffset()) + 1;
  const lastRecord = Number(messages.at(-1)?.offset);
  const batcher = new RecordBatcher(context.reader, async (records, nextOffset) => {
    const batchEnd = nextOffset > lastRecord ? endOffset : nextOffset;
    const appended = await context.appender.append({ claim, records, nextOffset: batchEnd });
    claim = appended.claim;
    context.claims.update(claim);
    context.onStored();
  });
  for (const message of messages) {
    // A claim that another assignment has replaced meanwhile no longer holds; its records come again.
    if (!isRunning() || isStale()) break;
    await batcher.add(Number(message.offset), message.value, Number(message.timestamp));
  }
  await batcher.flush();
  resolveOffset(String(claim.nextOffset - 1));
  await commitHint(payload, claim);
}

/** Kafka's committed offset only serves lag tools, so a commit that fails is none of ingest's business. */
async function commitHint({ batch, commitOffsetsIfNecessary }: EachBatchPayload, claim: SourceClaim): Promise<void> {
  const partitions = [{ partition: batch.partition, offset: String(claim.nextOffset) }];
  await commitOffsetsIfNecessary({ topics: [{ topic: batch.topic, partitions }] }).catch(() => {});
}
