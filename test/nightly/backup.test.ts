import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { runAudit } from '@milepost/audit';
import { startEmbeddedPostgres } from '@milepost/embedded-postgres';
import { readHeadPosition } from '@milepost/event-log/head';
import { claimSource } from '@milepost/event-log/sources';
import { createApiKey, isValidApiKey } from '@milepost/operations/keys';
import type { Pool } from '@milepost/postgres';
import { PROJECTIONS } from '@milepost/projections';
import { expect, it } from 'vitest';
import { openFolder, untilTestEnds } from '../support/fixtures.ts';
import { deliver, openPipeline, projectAll } from '../support/pipeline.ts';
import { driverProfile, tripProcessed } from '../support/records.ts';
import { copyServer } from '../support/standby.ts';
import { tableTexts } from '../support/tables.ts';
import { migrateParts } from '../support/template.ts';

const TOPIC = 'milepost.trips';
const RECORDS_A_BATCH = 50;
const BATCHES_BEFORE = 4;
const BATCHES_AFTER = 4;
/** With these settings, a server's files can be copied while it runs. */
const SETTINGS = { wal_level: 'replica', wal_keep_size: '512MB', shared_buffers: '64MB' };

/** Returns record `n` of the topic. As in Kafka, every read returns the same record. */
const record = (n: number) => (n === 0 ? driverProfile() : tripProcessed({ source_trip_id: `trip-${n}` }));
const batch = (from: number) => Array.from({ length: RECORDS_A_BATCH }, (_, index) => record(from + index));

/** Reads the topic from the log's next offset until the first `batches` batches have been read. */
async function readFurther(ingest: Pool, batches: number): Promise<void> {
  for (;;) {
    const { nextOffset } = await claimSource(ingest, TOPIC, 0);
    if (nextOffset >= batches * RECORDS_A_BATCH) return;
    await deliver(ingest, batch(nextOffset), TOPIC);
  }
}

it('a restored backup of the running server has all data committed before it, and ingest continues where it ends', async () => {
  const home = untilTestEnds(await openFolder()).path;
  const [lost, kept] = [join(home, 'lost'), join(home, 'kept')];
  const server = await startEmbeddedPostgres({ directory: lost, settings: SETTINGS });
  await migrateParts(server.url);
  const before = await openPipeline(PROJECTIONS, { url: server.url, drop: async () => {} });
  await readFurther(before.ingest, BATCHES_BEFORE);
  await projectAll(before);
  const { key } = await createApiKey(before.directory, 'acme');
  const atBackup = await readHeadPosition(before.owner);
  await copyServer(server.url, lost, kept, async () => await readFurther(before.ingest, BATCHES_BEFORE + 1));
  await readFurther(before.ingest, BATCHES_BEFORE + BATCHES_AFTER);
  await projectAll(before);
  const [head, rows] = [await readHeadPosition(before.owner), await tableTexts(before.owner, 'trips')];
  await before.close();
  await server.stop();
  await rm(lost, { recursive: true });

  const restored = untilTestEnds(await startEmbeddedPostgres({ directory: kept, settings: SETTINGS }));
  const { owner, ...again } = untilTestEnds(await openPipeline([], { url: restored.url, drop: async () => {} }));
  expect(await readHeadPosition(owner)).toBeGreaterThanOrEqual(atBackup);
  expect(await isValidApiKey(again.directory, key, 'acme')).toBe(true);
  await projectAll(again);
  expect((await runAudit(again.projector, PROJECTIONS)).report.faults).toEqual([]);
  // Ingest starts at the offset in the restored log, so it reads again from Kafka what arrived after the backup.
  await readFurther(again.ingest, BATCHES_BEFORE + BATCHES_AFTER);
  await projectAll(again);
  expect(await readHeadPosition(owner)).toBe(head);
  expect(await tableTexts(owner, 'trips')).toEqual(rows);
  expect((await runAudit(again.projector, PROJECTIONS)).report.equal).toBe(true);
});
