import { MILLISECONDS_PER_DAY } from '@milepost/domain/calendar';
import { readHeadPosition } from '@milepost/event-log/head';
import { inTransaction, SQLSTATES, sqlState } from '@milepost/postgres';
import { PROJECTIONS } from '@milepost/projections';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compareAnswers, compareRowCounts } from '../support/compare-with-model.ts';
import { perSuite, untilTestEnds } from '../support/fixtures.ts';
import { Model, utcDate } from '../support/model/index.ts';
import { openPipeline } from '../support/pipeline.ts';
import { play } from '../support/play.ts';
import { drawnSequence, FIRST_DAY } from '../support/random-records.ts';
import { describeWithPostgres } from '../support/service-suites.ts';
import { tableTexts } from '../support/tables.ts';
import { createWorld } from '../support/world.ts';

const SEQUENCES = Number(process.env['RECOUNT_SEQUENCES'] ?? 80);
const SEED = Number(process.env['RECOUNT_SEED'] ?? Math.floor(Math.random() * 1e9));
/** At this time, the days and weeks of all drawn trips are over. */
const AFTER_ALL_TRIPS = FIRST_DAY + 21 * MILLISECONDS_PER_DAY;
/** This limit stops a test that hangs, but lets all sequences run even on a slow machine. */
const MAX_SEQUENCE_MILLISECONDS = 10_000;

describeWithPostgres('the read tables', () => {
  const world = perSuite(createWorld);

  it(
    `equal the model after any sequence of records in any batches (${SEQUENCES} sequences, RECOUNT_SEED=${SEED})`,
    async () => {
      let runs = 0;
      await fc.assert(
        fc.asyncProperty(drawnSequence, async (sequence) => {
          runs += 1;
          const name = `run${runs}`;
          const model = new Model();
          await play(world.pipeline, sequence, name, model);
          for (const fleetId of [`north-${name}`, `south-${name}`]) {
            const key = await world.createKey(fleetId);
            const ask = async (path: string) => await world.get(`/api/v1${path}`, { key });
            for (const now of [sequence.now, AFTER_ALL_TRIPS]) {
              world.clock.now = now;
              await compareAnswers(ask, model, { fleetId, firstDate: utcDate(FIRST_DAY), ...sequence, now });
            }
            await compareRowCounts(world.pool, model, fleetId);
          }
        }),
        { numRuns: SEQUENCES, seed: SEED },
      );
      expect(runs).toBe(SEQUENCES);
    },
    SEQUENCES * MAX_SEQUENCE_MILLISECONDS,
  );

  it('are identical, whether the log is applied as it grows, in one batch or in ranges, and once or twice', async () => {
    const own = untilTestEnds(await openPipeline());
    const grown: { head: number; tables: Map<string, string[]> }[] = [];
    const model = new Model();
    for (const sequence of fc.sample(drawnSequence, { numRuns: 8, seed: 42 })) {
      // All sequences use the same fleets, so that later records change earlier ones.
      await play(own, sequence, 'sample', model);
      const tables = new Map<string, string[]>();
      for (const { name } of PROJECTIONS) tables.set(name, await tableTexts(own.owner, `${name}_1`));
      grown.push({ head: await readHeadPosition(own.ingest), tables });
    }
    const head = grown.at(-1)?.head ?? 0;
    expect(head).toBeGreaterThan(50);
    for (const { name, createTable, createIndexes, apply } of PROJECTIONS) {
      const applyTwice = async (...values: Parameters<typeof apply>) => {
        await apply(...values);
        // The table's key may refuse rows that it already contains.
        await values[0]
          .inSavepoint(async () => await apply(...values))
          .catch((error: unknown) => {
            if (sqlState(error) !== SQLSTATES.unique_violation) throw error;
          });
      };
      const atOnce = `${name}_96`;
      // Each of these tables advances from one head to the next in ranges of at most this size.
      const advancing = new Map([
        [`${name}_97`, head],
        [`${name}_98`, 3],
        [`${name}_99`, 1],
      ]);
      const tableNames = [atOnce, ...advancing.keys()];
      await inTransaction(own.projector, async (transaction) => {
        for (const table of tableNames) await transaction.run(`${createTable(table)} ${createIndexes(table)}`);
      });
      // Applying the log up to an earlier head gives the rows that the tables had when the log ended there, whatever
      // was appended later.
      let previous = 0;
      for (const { head: end, tables } of grown) {
        await inTransaction(own.projector, async (transaction) => {
          await transaction.run(`TRUNCATE ${atOnce}`);
          await applyTwice(transaction, { after: 0, through: end }, atOnce);
          for (const [table, size] of advancing) {
            for (let after = previous; after < end; after += size)
              await applyTwice(transaction, { after, through: Math.min(after + size, end) }, table);
          }
        });
        for (const table of tableNames)
          expect(await tableTexts(own.owner, table), `${table} at ${end}`).toEqual(tables.get(name));
        previous = end;
      }
    }
  });
});
