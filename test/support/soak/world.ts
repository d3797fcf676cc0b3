import { setTimeout as delay } from 'node:timers/promises';
import { ROLES } from '@milepost/postgres';
import { listLanes } from '@milepost/postgres/lanes';
import { addFleets } from '@milepost/postgres/lanes/fleet-homes';
import { prepareDatabase } from '../../../apps/cli/prepare-database.ts';
import { retry, SMALL_CHUNKS, untilReady } from '../faults/patience.ts';
import { startKillablePostgres } from '../faults/postgres.ts';
import type { Settings } from '../milepost.ts';
import { openDirectory, openPartPool } from '../pipeline.ts';
import { startProcess } from '../processes.ts';
import { freePorts } from '../services/free-port.ts';
import { startLocalKafka } from '../services/local/kafka.ts';
import { startLocalRedis } from '../services/local/redis.ts';
import { firstValue } from '../tables.ts';
import { FLEETS } from './records.ts';
import { openStream } from './stream.ts';

const LANES = 2;
const SESSION_MILLISECONDS = 3_000;
/** The supervisor restarts a process this long after it has ended. */
const RESTART_MILLISECONDS = 100;
const KEPT_CHARACTERS = 6_000;

export type Supervised = ReturnType<typeof supervise>;

/** Starts a Milepost process that is restarted whenever it ends, as under a supervisor. */
function supervise(name: string, settings: Settings) {
  const ownEnds: { code: number | null; output: string }[] = [];
  let running = startProcess([name], settings);
  let restarts = 0;
  let isKilled = false;
  let isClosed = false;
  const output = () => running.output().slice(-KEPT_CHARACTERS);
  const kill = async () => {
    isKilled = true;
    await running.kill();
  };
  const restartWhenEnded = async () => {
    for (;;) {
      const code = await running.exited;
      if (!isKilled) ownEnds.push({ code, output: output() });
      await delay(RESTART_MILLISECONDS);
      if (isClosed) return;
      isKilled = false;
      restarts += 1;
      running = startProcess([name], settings);
    }
  };
  void restartWhenEnded();
  return {
    name,
    /** The exit code and last output of each exit that was not caused by a kill. */
    ownEnds,
    restarts: () => restarts,
    /** The last part of the current process's output. */
    output,
    /** Kills the process without a shutdown. The supervisor restarts it. */
    kill,
    /** Suspends the process with SIGSTOP, or resumes it with SIGCONT. */
    signal: (signal: 'SIGSTOP' | 'SIGCONT') => void running.child.kill(signal),
    /** Kills the process for good: the supervisor does not restart it. */
    close: async () => {
      isClosed = true;
      await kill();
    },
  };
}

export type SoakWorld = Awaited<ReturnType<typeof openSoak>>;

/** Opens a Milepost with two lanes, two processes of each kind and its own servers, which a test can kill. */
export async function openSoak(seed: number) {
  const [port = 0] = await freePorts(1);
  const kafka = await startLocalKafka();
  const postgres = await startKillablePostgres();
  const redis = await startLocalRedis();
  await prepareDatabase(postgres.url, { lanes: LANES });
  const directory = openDirectory(postgres.url);
  for (const [fleetId, lane] of FLEETS) await addFleets(directory, [fleetId], lane);
  const parts = await listLanes(directory);
  const lanes = parts.map((lane) => openPartPool(lane));
  const operators = parts.map((lane) => openPartPool(lane, ROLES.operator, 2));
  const stream = await openStream(kafka.address, seed);
  const settings = {
    ...stream.topics.settings(kafka.address),
    KAFKA_SESSION_TIMEOUT_MILLISECONDS: String(SESSION_MILLISECONDS),
    DATABASE_URL: postgres.url,
    PORT: String(port),
    OPS_PORT: '0',
    RATE_LIMIT_PER_MINUTE: '1000000000',
    LOG_LEVEL: 'info',
    REQUEST_LOG: 'off',
  };
  const start = (verb: string, more: Settings = {}) => supervise(verb, { ...settings, ...more });
  const pair = (verb: string, more?: Settings) => [start(verb, more), start(verb, more)] as const;
  const api = start('api');
  const pairs = {
    ingest: pair('ingest'),
    projector: pair('projector'),
    ops: pair('ops', { NODE_OPTIONS: SMALL_CHUNKS, REDIS_URL: redis.address }),
  };
  /** All processes that run until the end. */
  const processes = [api, ...Object.values(pairs).flat()];
  const origin = `http://127.0.0.1:${port}`;
  await untilReady(origin);

  return {
    postgres,
    kafka,
    redis,
    stream,
    settings,
    origin,
    parts,
    directory,
    /** The superuser's pools, one for each lane. */
    lanes,
    /** The operator's pools, one for each lane. */
    operators,
    api,
    ...pairs,
    processes,
    /** Returns the value of a query's only column in each lane. If PostgreSQL is restarting, waits for it. */
    inLanes: async <Value>(sql: string) =>
      await Promise.all(lanes.map((lane) => retry(() => firstValue<Value | null>(lane, sql)))),
    /** Describes replays, sessions and processes for the message about a failure. */
    describe: async () => {
      const newest = `SELECT replay_id, phase, halted, epoch, lease_expires_at - now() AS lease, error FROM replay
        ORDER BY replay_id DESC LIMIT 2`;
      const replays = await Promise.all(lanes.map(async (lane) => (await retry(() => lane.query(newest))).rows));
      const sessions = await directory.query(
        `SELECT pid, application_name, state, wait_event, pg_blocking_pids(pid) AS blocked_by, now() - state_change AS since,
           left(query, 120) AS query FROM pg_stat_activity
         WHERE datname = current_database() AND state <> 'idle' ORDER BY state_change`,
      );
      const moves = await directory.query('SELECT * FROM fleet_move ORDER BY fleet_move_id DESC LIMIT 1');
      return [
        ...[replays, sessions.rows, moves.rows].map((rows) => JSON.stringify(rows, null, 1)),
        ...processes.map(({ name, ownEnds }) => `--- ${name}: ${JSON.stringify(ownEnds.slice(-2))}`),
        ...processes.map(({ name, output }) => `--- ${name}\n${output()}`),
      ].join('\n');
    },
    close: async () => {
      await Promise.all(processes.map((process) => process.close()));
      await stream.close();
      await Promise.all([directory, ...lanes, ...operators].map((pool) => pool.end()));
      await kafka.stop();
      await redis.stop();
      await postgres.stop();
    },
  };
}
