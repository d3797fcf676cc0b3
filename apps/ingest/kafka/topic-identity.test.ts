import type { LastRecord } from '@milepost/event-log/sources';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Fetched, TopicIdentity } from './topic-identity.ts';

const MAX_AGE_MILLISECONDS = 100;
const SEED = Number(process.env['TOPIC_IDENTITY_SEED'] ?? Math.floor(Math.random() * 1e9));

/** Returns the record at an offset in a topic. `topic` counts how many times a topic of this name was created. */
const recordOf = (topic: number, offset: number) => ({ offset, timestamp: offset, value: Buffer.from(`${topic}`) });

const fetchOf = (topic: number, first: number, end: number): Fetched => ({
  first,
  end,
  records: Array.from({ length: end - first }, (_, index) => recordOf(topic, first + index)),
});

/** Simulates a partition, its client and its stored records, as a process sees them. */
class Simulation {
  /** How many times the topic was created again. */
  topic = 0;
  high = 0;
  now = 0;
  isStopped = false;
  /** The numbers of the topics whose records were stored. */
  readonly stored = new Set<number>();
  #known: LastRecord | null = null;
  #nextOffset = 0;
  #position = 0;
  #queue: Fetched[] = [];
  #identity = new TopicIdentity(null, 0, MAX_AGE_MILLISECONDS, 0);

  /** The process claims the partition and reads the end offset from the broker. */
  claim(): void {
    this.#queue = [];
    if (this.#nextOffset > this.high) this.isStopped = true;
    this.#identity = new TopicIdentity(this.#known, this.#nextOffset, MAX_AGE_MILLISECONDS, this.now);
    this.#position = this.#known?.offset ?? this.#nextOffset;
  }

  fetch(records: number): void {
    // The client continues at the beginning if its position is past the topic's end.
    if (this.#position > this.high) this.#position = 0;
    if (this.#position === this.high) return;
    const end = Math.min(this.high, this.#position + records);
    const { found, accepted, seek } = this.#identity.take(fetchOf(this.topic, this.#position, end), this.now);
    this.#position = seek ?? end;
    this.isStopped = typeof found === 'object' && found !== null;
    let expected = this.#queue.at(-1)?.end ?? this.#nextOffset;
    for (const fetched of accepted) {
      if (fetched.first !== expected) {
        this.claim();
        return;
      }
      expected = fetched.end;
      this.#queue.push(fetched);
    }
  }

  /** Stores several fetches in one batch. */
  append(fetches: number): void {
    const taken = this.#queue.splice(0, fetches);
    const last = taken.at(-1);
    if (!last) return;
    const records = taken.flatMap((fetched) => fetched.records);
    for (const { value } of records) this.stored.add(Number(value));
    const known = this.#identity.confirmed(records);
    this.#nextOffset = last.end;
    if (known === null) return;
    this.#known = known;
    this.#identity.know(known);
  }

  /** The producers publish a number of records. */
  grow(records: number): void {
    this.high += records;
  }

  pass(milliseconds: number): void {
    this.now += milliseconds;
  }

  /** The topic is deleted, created again, and filled. */
  createAgain(records: number): void {
    this.topic += 1;
    this.high = records;
  }

  compare(): void {
    this.#position = this.#identity.compare() ?? this.#position;
  }

  compareIfDue(): void {
    this.#position = this.#identity.compareIfDue(this.now) ?? this.#position;
  }
}

type Step = (simulation: Simulation) => void;
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 9 }).map((size) => (it: Simulation) => it.fetch(size)) },
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 3 }).map((size) => (it: Simulation) => it.append(size)) },
  { weight: 3, arbitrary: fc.nat(9).map((size) => (it: Simulation) => it.grow(size)) },
  { weight: 2, arbitrary: fc.nat(150).map((time) => (it: Simulation) => it.pass(time)) },
  fc.constant((it: Simulation) => it.compare()),
  fc.constant((it: Simulation) => it.compareIfDue()),
  fc.constant((it: Simulation) => it.claim()),
  fc.nat(40).map((size) => (it: Simulation) => it.createAgain(size)),
);

describe('a topic that may be created again at any moment', () => {
  it(`is stopped no later than at the next comparison, and never without a reason: TOPIC_IDENTITY_SEED=${SEED}`, () => {
    let noticedLate = 0;
    fc.assert(
      fc.property(fc.array(step, { minLength: 5, maxLength: 60 }), (steps) => {
        const simulation = new Simulation();
        for (const run of steps) {
          if (simulation.isStopped) break;
          run(simulation);
          if (simulation.isStopped) expect(simulation.topic).toBeGreaterThan(0);
        }
        // No record is lost if only records from the last topic were stored.
        const isLost = [...simulation.stored].some((topic) => topic < simulation.topic);
        if (!simulation.isStopped && isLost) {
          if (simulation.stored.size > 1) noticedLate += 1;
          simulation.grow(100);
          simulation.claim();
          simulation.fetch(1_000);
          expect(simulation.isStopped).toBe(true);
        }
      }),
      { numRuns: 5_000, seed: SEED },
    );
    // The random orders must include the important case: storing records from both topics before a comparison.
    expect(noticedLate).toBeGreaterThan(10);
  });

  it.each([
    { end: 12, seek: 20 },
    { end: 15, seek: 20 },
    { end: 17, seek: 20 },
    { end: 20, seek: null },
    { end: 24, seek: null },
  ])(
    'contributes no records once the last comparison is too old, until the next comparison, which ends at $end',
    ({ end, seek }) => {
      const identity = new TopicIdentity(null, 0, MAX_AGE_MILLISECONDS, 0);
      expect(identity.take(fetchOf(0, 0, 10), 0)).toMatchObject({ accepted: [{ first: 0, end: 10 }], seek: null });
      const known = identity.confirmed(fetchOf(0, 0, 10).records);
      expect(known?.offset).toBe(9);
      if (known) identity.know(known);
      expect(identity.take(fetchOf(0, 10, 15), 99)).toEqual({
        found: null,
        accepted: [fetchOf(0, 10, 15)],
        seek: null,
      });
      expect(identity.confirmed(fetchOf(0, 10, 15).records)).toBeNull();
      expect(identity.take(fetchOf(0, 15, 20), 100)).toEqual({ found: null, accepted: [], seek: 9 });
      const later = end > 20 ? [fetchOf(0, 20, end)] : [];
      expect(identity.take(fetchOf(0, 9, end), 101)).toEqual({
        found: 'same',
        accepted: [fetchOf(0, 15, 20), ...later],
        seek,
      });
      expect(identity.confirmed(fetchOf(0, 15, 20).records)?.offset).toBe(19);
    },
  );

  // With an older known record, everything after it would be fetched again, and once the record had expired, the topic
  // could no longer be identified.
  it('is identified by its latest stored record, even if each comparison comes before the next record', () => {
    const identity = new TopicIdentity(null, 0, MAX_AGE_MILLISECONDS, 0);
    identity.take(fetchOf(0, 0, 1), 0);
    const first = identity.confirmed(fetchOf(0, 0, 1).records);
    if (first) identity.know(first);
    for (let newest = 0; newest < 10; newest += 1) {
      const now = (newest + 1) * 2 * MAX_AGE_MILLISECONDS;
      expect(identity.compareIfDue(now)).toBe(newest);
      const known = fetchOf(0, newest, newest + 1);
      expect(identity.take(known, now)).toEqual({ found: 'same', accepted: [], seek: null });
      const next = fetchOf(0, newest + 1, newest + 2);
      expect(identity.take(next, now + 50)).toEqual({ found: null, accepted: [], seek: newest });
      const both = fetchOf(0, newest, newest + 2);
      expect(identity.take(both, now + 51)).toEqual({ found: 'same', accepted: [next], seek: null });
      const stored = identity.confirmed(next.records);
      expect(stored?.offset).toBe(newest + 1);
      if (stored) identity.know(stored);
    }
  });

  it('is identified by a record that was read from it, not by the records that compaction kept', () => {
    const known = { offset: 9, timestamp: 9, hash: null };
    const begun = () => new TopicIdentity(known, 10, MAX_AGE_MILLISECONDS, 0);
    expect(begun().take(fetchOf(0, 12, 14), 0)).toMatchObject({ found: 'none', accepted: [{ first: 12, end: 14 }] });
    expect(begun().take({ first: null, end: 10, records: [] }, 0)).toEqual({ found: 'none', accepted: [], seek: null });
    // A control record or an aborted record is at the offset of the known record.
    expect(begun().take({ first: 9, end: 14, records: fetchOf(0, 10, 14).records }, 0)).toEqual({
      found: { otherAt: 9 },
      accepted: [],
      seek: null,
    });
  });
});
