import type { Pool } from '@milepost/postgres';
import { expect } from 'vitest';
import type { Model } from './model/index.ts';

/** A record in a topic. */
export interface TopicRecord {
  /** The topic and the partition, as `TOPIC/PARTITION`. */
  source: string;
  offset: number;
  /** Null stands for a record that breaks a rule. */
  text: string | null;
}

interface StoredEvent {
  position: number;
  topic: string;
  partition: number;
  source_offset: number;
  fleet_id: string;
}

/** The outcomes of the records read by a lane. The keys are `TOPIC/PARTITION/OFFSET`. */
export type LaneRecords = Awaited<ReturnType<typeof judgeLane>>;

/** Returns a record's key, `TOPIC/PARTITION/OFFSET`. */
export const keyOf = ({ source, offset }: Pick<TopicRecord, 'source' | 'offset'>) => `${source}/${offset}`;

const keyOfRow = (row: { topic: string; partition: number; source_offset: number }) =>
  `${row.topic}/${row.partition}/${row.source_offset}`;

/** Reads a lane's stored events in the order of the log. */
export async function readEvents(owner: Pool): Promise<StoredEvent[]> {
  const { rows } = await owner.query<StoredEvent>(
    `SELECT position, topic, partition, source_offset, fleet_id FROM stored_event JOIN log_source USING (source_id)
     ORDER BY position`,
  );
  return rows;
}

/** Resolves when each of the lanes has read this many records from the topics and has applied its log. */
export async function untilLanesApplied(lanes: readonly Pool[], records: number): Promise<void> {
  for (const owner of lanes) {
    const state = async () => {
      const { rows } = await owner.query(
        `SELECT (SELECT sum(next_offset) FROM log_source WHERE topic NOT LIKE '%:%') AS read,
           (SELECT position FROM log_head) = (SELECT min(checkpoint) FROM generation WHERE live) AS "isApplied"`,
      );
      return rows[0];
    };
    await expect.poll(state, { timeout: 180_000 }).toEqual({ read: records, isApplied: true });
  }
}

/**
 * Reads the outcomes of a lane's records. Throws if a record has two outcomes, or if a source's counts differ from its
 * rows or from its partition's records.
 */
export async function judgeLane(owner: Pool, records: readonly TopicRecord[]) {
  const events = await readEvents(owner);
  expect(events.map(({ position }) => position)).toEqual(events.map((_, index) => index + 1));
  const duplicates = await owner.query<{ topic: string; partition: number; source_offset: number }>(
    'SELECT topic, partition, source_offset FROM duplicate_record JOIN log_source USING (source_id)',
  );
  const letters = await owner.query<{ topic: string; partition: number; source_offset: number; reason: string }>(
    'SELECT topic, partition, source_offset, reason FROM dead_letter JOIN log_source USING (source_id)',
  );
  const lists = { stored: events, duplicate: duplicates.rows, dead_letter: letters.rows };
  const all = Object.values(lists).flatMap((list) => list.map(keyOfRow));
  const here = new Set(all);
  expect(here.size, 'records with one outcome').toBe(all.length);
  const { rows: sources } = await owner.query(
    `SELECT topic || '/' || partition AS source, topic LIKE '%:%' AS is_internal, next_offset, records_read,
       records_elsewhere, records_stored AS stored, records_duplicate AS duplicate, records_dead_letter AS dead_letter
     FROM log_source`,
  );
  const published = Map.groupBy(records, ({ source }) => source);
  for (const source of sources) {
    for (const [name, list] of Object.entries(lists)) {
      const rows = list.filter(({ topic, partition }) => `${topic}/${partition}` === source.source).length;
      expect(source[name], `${name} of ${source.source}`).toBe(rows);
    }
    const { stored, duplicate, dead_letter, records_elsewhere } = source;
    expect(source.records_read, source.source).toBe(stored + duplicate + dead_letter + records_elsewhere);
    if (source.is_internal) continue;
    const count = published.get(source.source)?.length ?? 0;
    expect([source.next_offset, source.records_read], source.source).toEqual([count, count]);
  }
  return {
    /** All stored events, in the order of the log. */
    events,
    duplicates: new Set(duplicates.rows.map(keyOfRow)),
    /** The reason for each dead letter. */
    reasons: new Map(letters.rows.map((row) => [keyOfRow(row), row.reason])),
    isHere: (key: string) => here.has(key),
  };
}

/**
 * Returns the records that became a fleet's stored events in a lane, in the order of the lane's log. The stored events
 * are traced back across earlier moves.
 */
export async function originsOf(
  eventsIn: (lane: number) => Promise<readonly StoredEvent[]>,
  lane: number,
  fleetId: string,
): Promise<string[]> {
  const origins: string[] = [];
  for (const event of await eventsIn(lane)) {
    // An erasure has its own source.
    if (event.fleet_id !== fleetId || event.topic.startsWith('operator:')) continue;
    let origin = event;
    // A copied event's offset is its position in the former lane.
    while (origin.topic.startsWith('move:')) {
      const before = (await eventsIn(Number(origin.topic.split(':')[1])))[origin.source_offset - 1];
      if (!before) throw new Error(`A lane has no position ${origin.source_offset}.`);
      origin = before;
    }
    origins.push(keyOfRow(origin));
  }
  return origins;
}

/** Delivers a fleet's records to the model in the order of the fleet's log, and compares each record's outcome. */
export function deliverFleet(
  model: Model,
  { fleetId, isMoving }: { fleetId: string; isMoving: boolean },
  records: ReadonlyMap<string, TopicRecord>,
  lane: LaneRecords,
  origins: readonly string[],
): void {
  const stored = new Set<string>();
  for (const key of origins) {
    expect(stored.has(key), `${key} is stored twice`).toBe(false);
    stored.add(key);
    expect(model.deliver(records.get(key)?.text ?? null), key).toMatch(/effective|late/);
  }
  for (const [key, { text }] of records) {
    if (stored.has(key) || text === null || JSON.parse(text).fleet_id !== fleetId) continue;
    if (lane.reasons.get(key) === 'driver_erased') continue;
    const fate = model.deliver(text);
    expect(fate, `${key} is lost`).not.toMatch(/effective|late/);
    // If only the fleet's former lane has read a record, this lane has no outcome for it.
    if (isMoving && !lane.duplicates.has(key) && !lane.reasons.has(key)) continue;
    expect(lane.reasons.get(key) ?? 'duplicate', key).toBe(fate === 'conflict' ? 'revision_conflict' : fate);
  }
}
