import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Pool, ROLES, retryTransientErrors } from '@milepost/postgres';
import { PROJECTIONS } from '@milepost/projections';
import { cancelReplay, dropReplay, type Phase, ReplayView, rollBack, showReplay, startReplay } from '@milepost/replay';
import { expect } from 'vitest';
import { prepareDatabase } from '../../../apps/cli/prepare-database.ts';
import { openEnqueuer } from '../../../apps/ops/queue/index.ts';
import type { Settings } from '../../system/milepost.ts';
import { shownRows } from '../fold.ts';
import { deliver, openPool } from '../pipeline.ts';
import { fillWithHistory, history } from './history.ts';
import type { Round, Strike } from './plan.ts';
import { type MortalPostgres, startMortalPostgres } from './postgres.ts';
import { type MortalProcess, startMortalProcess } from './process.ts';
import { type MortalRedis, startMortalRedis } from './redis.ts';
import { createReference, hashOf, leftovers, type Reference } from './reference.ts';

const SMALL_CHUNKS = `--import=${join(import.meta.dirname, 'small-chunks.ts')}`;
const PHASES: readonly Phase[] = ReplayView.properties.phase.enum;
const LOOK_MILLISECONDS = 10;
const PATIENCE_MILLISECONDS = 90_000;
const APPENDED_AT_ONCE = 20;
const TRIPS = 250;
const COPIES = 24;
const RESTING: readonly Phase[] = ['waiting', 'promoted', 'cancelled', 'dropped'];

/** What who catches up waits for before the next phase: catching up may be over before anybody has looked. */
const CATCHING_UP_LOCK = 4_711;
const HOLD_CATCHING_UP = `
  CREATE FUNCTION hold_catching_up() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN PERFORM pg_advisory_xact_lock_shared(${CATCHING_UP_LOCK}); RETURN NEW; END $$;
  CREATE TRIGGER hold_catching_up BEFORE UPDATE ON projection.replay FOR EACH ROW
    WHEN (OLD.phase = 'catching_up' AND NEW.phase <> OLD.phase) EXECUTE FUNCTION hold_catching_up()`;

/** A replay in the middle of which something was struck: in which phase, for the figures. */
type Struck = Record<string, number>;

/** Everything of a Milepost that may be killed, and replays whose outcome is compared with a reference. */
export class Campaign {
  readonly struck: Struck = {};
  readonly #postgres: MortalPostgres;
  readonly #redis: MortalRedis;
  readonly #owner: Pool;
  readonly #operator: Pool;
  readonly #reference: Reference;
  readonly #processes = new Set<MortalProcess>();
  #worker: MortalProcess;
  #nextTrip = 1_000_000;

  private constructor(postgres: MortalPostgres, redis: MortalRedis, owner: Pool, reference: Reference) {
    this.#postgres = postgres;
    this.#redis = redis;
    this.#owner = owner;
    this.#operator = openPool(postgres.url, ROLES.operator);
    this.#reference = reference;
    this.#start('projector', {});
    this.#worker = this.#startWorker(true);
  }

  static async open(): Promise<Campaign> {
    const postgres = await startMortalPostgres();
    const redis = await startMortalRedis();
    await prepareDatabase(postgres.url, {});
    const owner = openPool(postgres.url);
    await owner.query(HOLD_CATCHING_UP);
    await fillWithHistory(owner, TRIPS, COPIES);
    return new Campaign(postgres, redis, owner, await createReference(owner));
  }

  async close(): Promise<void> {
    for (const process of this.#processes) await process.kill();
    await Promise.all([this.#owner.end(), this.#operator.end()]);
    await this.#redis.stop();
    await this.#postgres.stop();
  }

  /** The last of what the processes have written. */
  output(): string {
    return [...this.#processes].map((process) => process.output()).join('\n---\n');
  }

  #start(verb: string, settings: Settings): MortalProcess {
    const process = startMortalProcess([verb], {
      DATABASE_URL: this.#postgres.url,
      NODE_OPTIONS: SMALL_CHUNKS,
      OPS_PORT: '0',
      LOG_LEVEL: 'info',
      ...settings,
    });
    this.#processes.add(process);
    return process;
  }

  #startWorker(hasRedis: boolean): MortalProcess {
    return this.#start('ops', hasRedis ? { REDIS_URL: this.#redis.url } : {});
  }

  async #killProcess(process: MortalProcess): Promise<void> {
    await process.kill();
    this.#processes.delete(process);
  }

  /** Does it again for as long as the database is away. */
  async #patiently<Result>(work: () => Promise<Result>): Promise<Result> {
    return await retryTransientErrors(work, { signal: AbortSignal.timeout(PATIENCE_MILLISECONDS) });
  }

  async #show(id: number): Promise<ReplayView> {
    return await this.#patiently(() => showReplay(this.#operator, PROJECTIONS, id));
  }

  /** Resolves once the replay is what `until` says; fails when it stands still. */
  async #wait(id: number, until: (view: ReplayView) => boolean): Promise<ReplayView> {
    const deadline = performance.now() + PATIENCE_MILLISECONDS;
    for (;;) {
      const view = await this.#show(id);
      if (view.halted !== null) throw new Error(`Replay ${id} is ${view.halted} in ${view.phase}: ${view.error}`);
      if (until(view)) return view;
      if (performance.now() > deadline) throw new Error(`Replay ${id} is in ${view.phase} for too long.`);
      await delay(LOOK_MILLISECONDS);
    }
  }

  async #ring(id: number): Promise<void> {
    // A connection of its own each time: what it leads to is killed again and again.
    const jobs = openEnqueuer({ databaseUrl: this.#postgres.url, redisUrl: this.#redis.url });
    await jobs.enqueue({ kind: 'replay', id });
    await jobs.close();
  }

  async #append(trips: number): Promise<void> {
    for (let appended = 0; appended < trips; appended += APPENDED_AT_ONCE) {
      const records = history(this.#nextTrip, this.#nextTrip + APPENDED_AT_ONCE - 1);
      this.#nextTrip += APPENDED_AT_ONCE;
      // A batch whose COMMIT was cut comes again: what was stored is then a duplicate.
      await this.#patiently(() => deliver(this.#owner, records));
      await delay(100);
    }
  }

  async #endLease(id: number): Promise<void> {
    await this.#patiently(() =>
      this.#owner.query('UPDATE projection.replay SET lease_expires_at = now() WHERE replay_id = $1', [id]),
    );
  }

  async #hit(id: number, { victim, awayMilliseconds, leaseRunsOut }: Strike, hasRedis: boolean): Promise<void> {
    switch (victim) {
      case 'worker':
        await this.#killProcess(this.#worker);
        if (!leaseRunsOut) await this.#endLease(id);
        this.#worker = this.#startWorker(hasRedis);
        return;
      case 'frozen_worker': {
        const frozen = this.#worker;
        frozen.freeze();
        this.#worker = this.#startWorker(hasRedis);
        if (!leaseRunsOut) await this.#endLease(id);
        await delay(awayMilliseconds * 4);
        frozen.thaw();
        // For a while there are two that hold the same replay for theirs.
        await delay(awayMilliseconds);
        await this.#killProcess(frozen);
        return;
      }
      case 'postgres':
        await this.#postgres.kill();
        await delay(awayMilliseconds);
        await this.#postgres.revive();
        return;
      case 'redis':
      case 'flushed_redis':
        // Killed and empty again at once is what FLUSHALL leaves, but for the connections.
        await this.#redis.kill();
        if (victim === 'redis') await delay(awayMilliseconds * 3);
        await this.#redis.revive();
    }
  }

  /** A session that keeps a replay in a phase until it is struck. A promotion waits for a reader in a long transaction. */
  async #hold({ phase, victim }: Strike): Promise<() => void> {
    // A frozen worker would keep the row of the replay locked, which ending its lease needs.
    const isHeld = phase === 'promoting' || (phase === 'catching_up' && victim !== 'frozen_worker');
    if (!isHeld) return () => {};
    const session = await this.#owner.connect();
    if (phase === 'catching_up') await session.query(`SELECT pg_advisory_lock(${CATCHING_UP_LOCK})`);
    else await session.query(`BEGIN; ${PROJECTIONS.map(({ name }) => `SELECT FROM read.${name} LIMIT 1`).join('; ')}`);
    let isLetGo = false;
    return () => {
      if (!isLetGo) session.release(true);
      isLetGo = true;
    };
  }

  async #strike(id: number, strike: Strike, hasRedis: boolean): Promise<void> {
    const place = PHASES.indexOf(strike.phase);
    const letGo = await this.#hold(strike);
    try {
      await this.#wait(id, ({ phase }) => PHASES.indexOf(phase) >= place || RESTING.includes(phase));
      await delay(strike.milliseconds);
      const { phase } = await this.#show(id);
      const key = `${strike.victim} in ${phase}`;
      this.struck[key] = (this.struck[key] ?? 0) + 1;
      const hit = this.#hit(id, strike, hasRedis);
      // The session of the dead worker still waits, with the row locked that ending its lease needs.
      if (strike.phase === 'catching_up' && strike.victim === 'worker') letGo();
      await hit;
    } finally {
      letGo();
    }
  }

  async #untilProjected(): Promise<number> {
    const deadline = performance.now() + PATIENCE_MILLISECONDS;
    for (;;) {
      const { rows } = await this.#patiently(() =>
        this.#owner.query<{ head: number; checkpoint: number }>(
          `SELECT (SELECT position FROM log.head) AS head, min(checkpoint) AS checkpoint FROM projection.generation WHERE live`,
        ),
      );
      const [row] = rows;
      if (row?.head === row?.checkpoint) return row?.head ?? 0;
      if (performance.now() > deadline) throw new Error('The projector does not come to the end of the log.');
      await delay(LOOK_MILLISECONDS);
    }
  }

  async #compare(tables: readonly { projection: string; table: string }[]): Promise<void> {
    for (const { projection, table } of tables) {
      expect(await hashOf(this.#owner, table), table).toBe(await this.#reference.hash(projection));
    }
  }

  /** Compares what is live with the reference at the head of the log, and looks for what should not be there. */
  async compareLive(): Promise<void> {
    await this.#reference.bringTo(await this.#untilProjected());
    await this.#compare(PROJECTIONS.map(({ name }) => ({ projection: name, table: `read.${name}` })));
    expect(await leftovers(this.#owner)).toEqual([]);
  }

  async #send(id: number, command: (pool: Pool, id: number) => Promise<void>, ends: readonly Phase[]): Promise<void> {
    await this.#patiently(() => command(this.#operator, id));
    await this.#ring(id);
    await this.#wait(id, ({ phase }) => ends.includes(phase));
  }

  /** Runs a replay as planned, struck as planned, and judges its outcome. */
  async run({ projection, end, appendedTrips, hasRedis, strikes }: Round): Promise<void> {
    const request = { projection, promote: end !== 'cancelled', throttle: 'off', requestedBy: 'test' } as const;
    const { id } = await this.#patiently(() => startReplay(this.#operator, PROJECTIONS, request));
    const appending = this.#append(appendedTrips);
    await this.#ring(id);
    for (const strike of strikes) await this.#strike(id, strike, hasRedis);
    await appending;
    const { phase, verification, generations, error } = await this.#wait(id, (view) => RESTING.includes(view.phase));
    expect({ phase, error, equal: verification?.equal }).toEqual({
      phase: end === 'cancelled' ? 'waiting' : 'promoted',
      error: null,
      equal: true,
    });
    if (end === 'cancelled') {
      for (const each of generations.toSorted((left, right) => left.checkpoint - right.checkpoint)) {
        await this.#reference.bringTo(each.checkpoint);
        const table = `read.${each.projection}_${each.generation}`;
        await this.#compare([{ projection: each.projection, table: shownRows(each.projection, table) }]);
      }
    }
    await this.compareLive();
    if (end === 'cancelled') return await this.#send(id, cancelReplay, ['cancelled']);
    // Of whatever was promoted last, what it took the place of may go.
    const last = end === 'rolled_back' ? await this.#rollBack(projection) : id;
    await this.#send(last, dropReplay, ['promoted', 'dropped']);
    await this.compareLive();
    const { rows } = await this.#owner.query('SELECT FROM projection.generation WHERE dropped_at IS NULL');
    expect(rows).toHaveLength(PROJECTIONS.length);
  }

  async #rollBack(projection: string): Promise<number> {
    await this.#append(APPENDED_AT_ONCE);
    const request = { projection, requestedBy: 'test' };
    const { id } = await this.#patiently(() => rollBack(this.#operator, PROJECTIONS, request));
    await this.#ring(id);
    await this.#wait(id, ({ phase }) => phase === 'promoted');
    await this.compareLive();
    return id;
  }
}
