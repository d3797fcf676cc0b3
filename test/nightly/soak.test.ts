import { expect, it } from 'vitest';
import { untilLanesApplied } from '../support/judge-lane.ts';
import { daysAfter, utcDate } from '../support/model/index.ts';
import { describeWithOwnBroker } from '../support/own-broker-suite.ts';
import { needs } from '../support/programs.ts';
import { judgeSoak } from '../support/soak/judge.ts';
import { DAYS } from '../support/soak/records.ts';
import { runSoak } from '../support/soak/run.ts';
import { openSoak } from '../support/soak/world.ts';

/** `SOAK_KILLS=1000` runs a long soak of half an hour, and `SOAK_SEED` repeats an earlier soak's kills and records. */
const KILLS = Number(process.env['SOAK_KILLS'] ?? 50);
const SEED = Number(process.env['SOAK_SEED'] ?? Math.floor(Math.random() * 1e9));
const REPORT_EVERY = 10;

describeWithOwnBroker('Milepost under load, with two lanes and two processes of each kind,', () => {
  const print = (line: string) => process.stderr.write(`${new Date().toISOString()} ${line}\n`);

  it(`loses and duplicates nothing when processes, PostgreSQL, Redis and the broker are killed: ${KILLS} kills, seed ${SEED}`, {
    ...needs('ps', 'redis-server'),
    timeout: 300_000 + KILLS * 30_000,
  }, async ({ onTestFinished }) => {
    print(`Soak: ${KILLS} kills, seed ${SEED}.`);
    const world = await openSoak(SEED);
    onTestFinished(world.close);
    const started = performance.now();
    const firstDate = daysAfter(utcDate(Date.now()), -DAYS - 1);
    try {
      const work = await runSoak(world, { seed: SEED, kills: KILLS }, (done, victim, { signal }) => {
        if (done % REPORT_EVERY === 0 || done === KILLS) {
          print(`${done} kills, ${world.stream.acknowledged()} records; the last one: ${signal} of ${victim}`);
        }
      });
      const records = await world.stream.read();
      expect(records.length).toBeGreaterThanOrEqual(work.acknowledged);
      await untilLanesApplied(world.lanes, records.length);
      const comparedAt = performance.now();
      const verdict = await judgeSoak(world, records, work.erased, firstDate);
      const seconds = (milliseconds: number) => Math.round(milliseconds / 1_000);
      const restartsOf = (name: 'ingest' | 'projector' | 'ops') =>
        world[name].reduce((sum, { restarts }) => sum + restarts(), 0);
      const report = {
        seed: SEED,
        ...work,
        restarts: { ingest: restartsOf('ingest'), projector: restartsOf('projector'), ops: restartsOf('ops') },
        exits_without_a_kill: world.processes.flatMap(({ name, ownEnds }) =>
          ownEnds.map(({ code }) => `${name}: ${code}`),
        ),
        seconds: seconds(comparedAt - started),
        comparison: {
          lost: 0,
          doubled: 0,
          differences: 0,
          ...verdict,
          seconds: seconds(performance.now() - comparedAt),
        },
      };
      print(JSON.stringify(report, null, 2));
      expect(world.api.restarts(), 'restarts of the API').toBe(0);
      expect(
        world.ops.flatMap(({ ownEnds }) => ownEnds),
        'exits of ops without a kill',
      ).toEqual([]);
      expect(work.replays, 'replays').toBeGreaterThanOrEqual(3);
    } catch (error) {
      print(`${error}\nTo repeat: SOAK_KILLS=${KILLS} SOAK_SEED=${SEED}\n${await world.describe()}`);
      throw error;
    }
  });
});
