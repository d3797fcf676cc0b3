import { setTimeout as delay } from 'node:timers/promises';
import { type Pool, ROLES } from '@milepost/postgres';
import { PROJECTIONS } from '@milepost/projections';
import {
  cancelReplay,
  dropReplay,
  PHASES,
  type Phase,
  type ReplayView,
  rollBack,
  showReplay,
  startReplay,
} from '@milepost/replay';
import { expect } from 'vitest';
import { prepareDatabase } from '../../../apps/cli/prepare-database.ts';
import { openQueue } from '../../../apps/ops/queue.ts';
import { shownRows } from '../fold.ts';
import type { Settings } from '../milepost.ts';
import { deliver, openPool } from '../pipeline.ts';
import { type RunningProcess, startProcess } from '../processes.ts';
import { fillWithHistory, history } from './history.ts';
import { retry, SMALL_CHUNKS, until } from './patience.ts';
import type { Fault, Round } from './plan.ts';
import { startKillablePostgres } from './postgres.ts';
import { startKillableRedis } from './redis.ts';
import { createReference, hashOf, leftovers } from './reference.ts';

const APPENDED_AT_ONCE = 20;
const TRIPS = 250;
const COPIES = 24;
const RESTING: readonly Phase[] = ['waiting', 'promoted', 'cancelled', 'dropped'];

/**
 * Before a replay leaves a phase, it waits for the advisory lock whose key is this number and the phase's hash. Without
 * this wait, a short phase could end before a poll sees it.
 */
const PHASE_LOCK = 4_711;
const HOLD_PHASES = `
  CREATE FUNCTION hold_phase() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN PERFORM pg_advisory_xact_lock_shared(${PHASE_LOCK}, hashtext(OLD.phase)); RETURN NEW; END $$;
  CREATE TRIGGER hold_phase BEFORE UPDATE ON replay FOR EACH ROW
    WHEN (NEW.phase <> OLD.phase) EXECUTE FUNCTION hold_phase()`;

/**
 * Returns whether the test keeps the replay in its phase until the fault occurs. The phase of a frozen worker is not
 * held, because this worker would keep the replay's row locked, and the test needs that lock to end the lease.
 */
function holdsPhase({ phase, victim, milliseconds }: Fault): boolean {
  return milliseconds === 0 && phase !== 'promoting' && victim !== 'frozen_worker';
}

/** A Milepost whose processes and servers the test can kill, and whose replays it compares with a reference. */
export async function openCampaign() {
  const postgres = await startKillablePostgres();
  const redis = await startKillableRedis();
  await prepareDatabase(postgres.url);
  const owner = openPool(postgres.url);
  await owner.query(HOLD_PHASES);
  await fillWithHistory(owner, TRIPS, COPIES);
  const operator = openPool(postgres.url, ROLES.operator);
  const reference = await createReference(owner);
  const processes = new Set<RunningProcess>();
  /** How often faults have occurred, by the kind of fault and the replay's phase. */
  const faultCounts: Record<string, number> = {};
  let nextTrip = 1_000_000;
  start('projector', {});
  let worker = startWorker(true);

  function start(verb: string, settings: Settings): RunningProcess {
    const process = startProcess([verb], {
      DATABASE_URL: postgres.url,
      NODE_OPTIONS: SMALL_CHUNKS,
      OPS_PORT: '0',
      LOG_LEVEL: 'info',
      ...settings,
    });
    processes.add(process);
    return process;
  }

  function startWorker(hasRedis: boolean): RunningProcess {
    return start('ops', hasRedis ? { REDIS_URL: redis.url } : {});
  }

  async function killProcess(process: RunningProcess): Promise<void> {
    await process.kill();
    processes.delete(process);
  }

  async function show(id: number): Promise<ReplayView> {
    return await retry(() => showReplay(operator, PROJECTIONS, id));
  }

  /** Resolves when `isEnough` accepts the replay. Rejects when the replay halts or makes no progress. */
  async function wait(id: number, isEnough: (view: ReplayView) => boolean): Promise<ReplayView> {
    let view = await show(id);
    await until(`Replay ${id}`, async () => {
      view = await show(id);
      if (view.halted !== null) throw new Error(`Replay ${id} is ${view.halted} in ${view.phase}: ${view.error}`);
      return isEnough(view);
    });
    return view;
  }

  async function enqueue(id: number): Promise<void> {
    // Each job opens its own connection, because the faults keep killing the server.
    const queue = openQueue(redis.url);
    await queue.add({ kind: 'replay', id, lane: 0 });
    await queue.close();
  }

  async function append(trips: number): Promise<void> {
    for (let appended = 0; appended < trips; appended += APPENDED_AT_ONCE) {
      const records = history(nextTrip, nextTrip + APPENDED_AT_ONCE - 1);
      nextTrip += APPENDED_AT_ONCE;
      // If a COMMIT was interrupted, the batch is retried, and the records that are already stored become duplicates.
      await retry(() => deliver(owner, records));
      await delay(100);
    }
  }

  async function endLease(id: number): Promise<void> {
    await retry(() => owner.query('UPDATE replay SET lease_expires_at = now() WHERE replay_id = $1', [id]));
  }

  async function inject(id: number, fault: Fault, hasRedis: boolean): Promise<void> {
    const { victim, downMilliseconds, leaseExpires } = fault;
    switch (victim) {
      case 'worker':
        await killProcess(worker);
        if (!leaseExpires) await endLease(id);
        worker = startWorker(hasRedis);
        return;
      case 'frozen_worker': {
        const frozen = worker;
        frozen.child.kill('SIGSTOP');
        worker = startWorker(hasRedis);
        if (!leaseExpires) await endLease(id);
        await delay(downMilliseconds * 4);
        frozen.child.kill('SIGCONT');
        // For a while, two workers believe that the replay is theirs.
        await delay(downMilliseconds);
        await killProcess(frozen);
        return;
      }
      case 'postgres':
        await postgres.kill();
        await delay(downMilliseconds);
        await postgres.restart();
        return;
      case 'redis':
      case 'flushed_redis':
        // A kill with an immediate restart has the effect of FLUSHALL, but also breaks the connections.
        await redis.kill();
        if (victim === 'redis') await delay(downMilliseconds * 3);
        await redis.restart();
    }
  }

  /**
   * If the fault occurs at the beginning of a phase, opens a session that keeps the replay in that phase. For a
   * promotion, this is a reader in a long transaction. Returns a function that releases the session.
   */
  async function hold(fault: Fault): Promise<() => void> {
    const { phase } = fault;
    if (phase !== 'promoting' && !holdsPhase(fault)) return () => {};
    const session = await owner.connect();
    if (phase !== 'promoting') await session.query('SELECT pg_advisory_lock($1, hashtext($2))', [PHASE_LOCK, phase]);
    else await session.query(`BEGIN; ${PROJECTIONS.map(({ name }) => `SELECT FROM ${name} LIMIT 1`).join('; ')}`);
    let isReleased = false;
    return () => {
      if (!isReleased) session.release(true);
      isReleased = true;
    };
  }

  async function injectAt(id: number, fault: Fault, hasRedis: boolean): Promise<void> {
    const place = PHASES.indexOf(fault.phase);
    const release = await hold(fault);
    try {
      await wait(id, ({ phase }) => PHASES.indexOf(phase) >= place || RESTING.includes(phase));
      await delay(fault.milliseconds);
      const { phase } = await show(id);
      const key = `${fault.victim} in ${phase}`;
      faultCounts[key] = (faultCounts[key] ?? 0) + 1;
      const injected = inject(id, fault, hasRedis);
      // The dead worker's session is still waiting and holds a lock on the replay's row. The test needs that lock to
      // end the lease.
      if (fault.victim === 'worker' && holdsPhase(fault)) release();
      await injected;
    } finally {
      release();
    }
  }

  async function untilProjected(): Promise<number> {
    let head = 0;
    await until('The projector', async () => {
      const { rows } = await retry(() =>
        owner.query<{ head: number; checkpoint: number }>(
          `SELECT (SELECT position FROM log_head) AS head, min(checkpoint) AS checkpoint FROM generation WHERE live`,
        ),
      );
      head = rows[0]?.head ?? 0;
      return head === rows[0]?.checkpoint;
    });
    return head;
  }

  async function compare(tables: readonly { projection: string; table: string }[]): Promise<void> {
    for (const { projection, table } of tables) {
      expect(await hashOf(owner, table), table).toBe(await reference.hash(projection));
    }
  }

  /** Compares the live tables with the reference at the head of the log, and checks that nothing is left behind. */
  async function compareLive(): Promise<void> {
    await reference.bringTo(await untilProjected());
    await compare(PROJECTIONS.map(({ name }) => ({ projection: name, table: `${name}` })));
    expect(await leftovers(owner)).toEqual([]);
  }

  async function send(id: number, command: (pool: Pool, id: number) => Promise<void>, ends: readonly Phase[]) {
    await retry(() => command(operator, id));
    await enqueue(id);
    await wait(id, ({ phase }) => ends.includes(phase));
  }

  /** Runs a replay with the planned faults and checks the result. */
  async function run({ projection, end, appendedTrips, hasRedis, faults }: Round): Promise<void> {
    const request = { projection, promote: end !== 'cancelled', throttle: 'off', requestedBy: 'test' } as const;
    const { id } = await retry(() => startReplay(operator, PROJECTIONS, request));
    const appending = append(appendedTrips);
    await enqueue(id);
    for (const fault of faults) await injectAt(id, fault, hasRedis);
    await appending;
    const { phase, verification, generations, error } = await wait(id, (view) => RESTING.includes(view.phase));
    expect({ phase, error, equal: verification?.equal }).toEqual({
      phase: end === 'cancelled' ? 'waiting' : 'promoted',
      error: null,
      equal: true,
    });
    if (end === 'cancelled') {
      for (const each of generations.toSorted((left, right) => left.checkpoint - right.checkpoint)) {
        await reference.bringTo(each.checkpoint);
        const table = `${each.projection}_${each.generation}`;
        await compare([{ projection: each.projection, table: shownRows(each.projection, table) }]);
      }
    }
    await compareLive();
    if (end === 'cancelled') return await send(id, cancelReplay, ['cancelled']);
    // The generations replaced by the last promotion can be dropped now.
    const last = end === 'rolled_back' ? await rollBackAndCompare(projection) : id;
    await send(last, dropReplay, ['promoted', 'dropped']);
    await compareLive();
    const { rows } = await owner.query('SELECT FROM generation WHERE dropped_at IS NULL');
    expect(rows).toHaveLength(PROJECTIONS.length);
  }

  async function rollBackAndCompare(projection: string): Promise<number> {
    await append(APPENDED_AT_ONCE);
    const request = { projection, requestedBy: 'test' };
    const { id } = await retry(() => rollBack(operator, PROJECTIONS, request));
    await enqueue(id);
    await wait(id, ({ phase }) => phase === 'promoted');
    await compareLive();
    return id;
  }

  return {
    faultCounts,
    run,
    /** Returns the last output from all processes. */
    output: () => [...processes].map((process) => process.output().slice(-6_000)).join('\n---\n'),
    close: async () => {
      for (const process of processes) await process.kill();
      await Promise.all([owner.end(), operator.end()]);
      await redis.stop();
      await postgres.stop();
    },
  };
}
