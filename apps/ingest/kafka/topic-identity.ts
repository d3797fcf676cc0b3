import type { FetchedRecord } from '@milepost/domain/records';
import { isSameRecord, type LastRecord, lastRecordOf } from '@milepost/event-log/sources';
import type { PartitionClaim } from './source.ts';

/** The time after which a partition's known record is compared again. */
export const DEFAULT_COMPARISON_MILLISECONDS = 5_000;

/** The offsets of one fetch from `first` up to, but not including, `end`, with their records. */
export interface Fetched {
  /** Null when the fetch does not contain any requested offset, for example after compaction removed a batch. */
  first: number | null;
  end: number;
  records: readonly FetchedRecord[];
}

/** The result of a fetch. */
interface Taken {
  /** Which record the broker has at the known record's offset; null when this fetch does not contain that offset. */
  found: 'same' | 'none' | { otherAt: number } | null;
  /** The offsets that may be stored now, in order. */
  accepted: readonly Fetched[];
  /** The offset at which the next fetch starts; null if it continues after this fetch. */
  seek: number | null;
}

/**
 * Detects whether a partition still belongs to the topic whose records are stored. Kafka's client addresses topics by
 * name, so a topic that was deleted, created again and filled past the offset looks like one that has grown
 * (docs/adr/0005-offsets-in-postgresql.md).
 *
 * The offset, timestamp and hash of one stored record, the known record, identify the topic. A deleted topic never
 * returns. Therefore, if the broker still has the known record, everything fetched so far comes from the same topic.
 * Only a record confirmed in this way can become the next known record. This class keeps the state and makes the
 * decisions, but does not send requests.
 */
export class TopicIdentity {
  /** The client has fetched everything before this offset. */
  fetchedTo: number;
  readonly #maxAgeMilliseconds: number;
  #known: LastRecord | null;
  /** The record to compare with the next fetch; null when no comparison is pending. */
  #compared: LastRecord | null;
  /** Everything fetched before this offset comes from the known record's topic; null until a record is known. */
  #confirmedTo: number | null;
  #comparedAt: number;
  /** When a comparison last confirmed newly fetched records, so that one of them can become the known record. */
  #advancedAt: number;
  #held: Fetched | null = null;

  /**
   * @param known a stored record. If null, the first fetch determines the topic
   * @param maxAgeMilliseconds the age after which the known record is compared again
   */
  constructor(known: LastRecord | null, nextOffset: number, maxAgeMilliseconds: number, now: number) {
    this.#known = known;
    this.#compared = known;
    this.fetchedTo = nextOffset;
    this.#confirmedTo = known === null ? null : nextOffset;
    this.#maxAgeMilliseconds = maxAgeMilliseconds;
    this.#comparedAt = now;
    this.#advancedAt = now;
  }

  /** Begins a comparison. Returns where to fetch next; null if no record is known or a comparison is pending. */
  compare(): number | null {
    if (this.#known === null || this.#compared !== null) return null;
    this.#compared = this.#known;
    return this.#compared.offset;
  }

  /** Like `compare`, but only when the last comparison is too old. */
  compareIfDue(now: number): number | null {
    return now - this.#comparedAt >= this.#maxAgeMilliseconds ? this.compare() : null;
  }

  /** Processes the result of a fetch. */
  take(fetched: Fetched, now: number): Taken {
    if (this.#compared !== null) return this.#compareWith(this.#compared, fetched, now);
    if (this.#known === null) {
      // One fetch reads only one topic, so its records identify the topic. The next fetch may already read another
      // topic.
      if (fetched.records.length > 0) this.#confirmedTo ??= fetched.end;
    } else if (now - this.#advancedAt >= this.#maxAgeMilliseconds) {
      this.#held = fetched;
      return { found: null, accepted: [], seek: this.compare() };
    }
    this.fetchedTo = Math.max(this.fetchedTo, fetched.end);
    return { found: null, accepted: [fetched], seek: null };
  }

  /** Returns the latest of these records that may become the known record, or null if there is none. */
  confirmed(records: readonly FetchedRecord[]): LastRecord | null {
    const end = this.#confirmedTo ?? 0;
    const record = records.findLast(({ offset }) => offset < end);
    return record?.timestamp === undefined ? null : lastRecordOf(record.offset, record.timestamp, record.value);
  }

  /** Makes a stored record the known record. */
  know(stored: LastRecord): void {
    this.#known = stored;
  }

  #compareWith(compared: LastRecord, fetched: Fetched, now: number): Taken {
    const { first, end, records } = fetched;
    // The client started again at an earlier offset, which the reader detects because it expects a later offset.
    if (first !== null && first < compared.offset) {
      this.#compared = null;
      this.#held = null;
      return { found: null, accepted: [fetched], seek: null };
    }
    const record = records.find(({ offset }) => offset === compared.offset);
    const found = record && lastRecordOf(record.offset, record.timestamp ?? 0, record.value);
    // If a fetch covers the offset but does not return a record, the offset belongs to a marker or an aborted record.
    const isOther = found ? !isSameRecord(compared, found) : first === compared.offset;
    if (isOther) return { found: { otherAt: compared.offset }, accepted: [], seek: null };
    this.#compared = null;
    this.#comparedAt = now;
    const accepted: Fetched[] = [];
    if (this.#held !== null) {
      accepted.push(this.#held);
      this.fetchedTo = Math.max(this.fetchedTo, this.#held.end);
      this.#held = null;
    }
    const isBehind = end < this.fetchedTo;
    if (end > this.fetchedTo) {
      const from = this.fetchedTo;
      // Offsets without a record are not a gap if the fetch covers them. A fetch that begins before `from` covers all
      // offsets from `from` to `end`.
      const start = Math.max(first ?? from, from);
      accepted.push({ first: start, end, records: records.filter(({ offset }) => offset >= from) });
      this.fetchedTo = end;
    }
    this.#confirmedTo = this.fetchedTo;
    if (accepted.length > 0) this.#advancedAt = now;
    return { found: found ? 'same' : 'none', accepted, seek: isBehind ? this.fetchedTo : null };
  }
}

const SETTLED_BY =
  'Ingest does not read from this partition until an operator accepts the loss by setting the next offset.';

/**
 * The topic does not have the next offset, because retention removed it or because the topic was deleted and created
 * again. Continuing to read would silently lose trips, so the source is stopped until an operator decides.
 */
export class SourceStoppedError extends Error {
  override name = 'SourceStoppedError';

  /** The broker has the offsets from `low` up to `high`, and the claim's next offset is outside this range. */
  static outOfRange(claim: PartitionClaim, low: number, high: number): SourceStoppedError {
    const { topic, partition, nextOffset } = claim;
    const cause = `The next offset of ${topic}/${partition} is ${nextOffset}, but the broker holds ${low} to ${high}: records were removed before they were read, or the topic was created again.`;
    return new SourceStoppedError(`${cause} ${SETTLED_BY}`);
  }

  /** At `offset`, the broker has a different record from the one read there. */
  static recreated(claim: PartitionClaim, offset: number): SourceStoppedError {
    const { topic, partition, nextOffset } = claim;
    const cause = `${topic}/${partition} was created again: at offset ${offset} the broker holds a different record from the one read there. The new topic's records before offset ${nextOffset} may never have been read.`;
    return new SourceStoppedError(`${cause} ${SETTLED_BY}`);
  }
}
