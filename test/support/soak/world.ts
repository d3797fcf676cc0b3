import { type Pool, ROLES } from '@milepost/postgres';
import { addFleets, type Lane, listLanes } from '@milepost/postgres/lanes';
import { prepareDatabase } from '../../../apps/cli/prepare-database.ts';
import { retry, SMALL_CHUNKS, untilReady } from '../faults/patience.ts';
import { startKillablePostgres } from '../faults/postgres.ts';
import type { Settings } from '../milepost.ts';
import { openDirectory, openPartPool } from '../pipeline.ts';
import { freePorts } from '../services/free-port.ts';
import { kafkaSettings } from '../services/kafka/settings.ts';
import { startKafkaNode } from '../services/local/kafka.ts';
import type { KillableServer } from '../services/local/process.ts';
import { FLEETS } from './records.ts';
import { Stream } from './stream.ts';
import { Supervised } from './supervised.ts';

const LANES = 2;
const SESSION_MILLISECONDS = 3_000;

type Kafka = Awaited<ReturnType<typeof startKafkaNode>>;
type Pair = readonly [Supervised, Supervised];

/** A Milepost with two lanes, two processes of each kind and its own servers, so that a test can kill all of them. */
export class SoakWorld {
  readonly postgres: KillableServer;
  readonly kafka: Kafka;
  readonly stream: Stream;
  readonly settings: Settings;
  readonly origin: string;
  readonly parts: readonly Lane[];
  readonly api: Supervised;
  readonly ingest: Pair;
  readonly projector: Pair;
  readonly ops: Pair;
  /** The superuser's pools, one for each lane. */
  readonly lanes: readonly Pool[];
  /** The operator's pools, one for each lane. */
  readonly operators: readonly Pool[];
  readonly directory: Pool;

  private constructor(
    postgres: KillableServer,
    parts: readonly Lane[],
    kafka: Kafka,
    stream: Stream,
    brokers: string[],
    port: number,
  ) {
    this.postgres = postgres;
    this.parts = parts;
    this.kafka = kafka;
    this.stream = stream;
    this.settings = {
      ...stream.topics.settings(brokers),
      KAFKA_SESSION_TIMEOUT_MILLISECONDS: String(SESSION_MILLISECONDS),
      DATABASE_URL: postgres.url,
      PORT: String(port),
      OPS_PORT: '0',
      RATE_LIMIT_PER_MINUTE: '1000000000',
      LOG_LEVEL: 'info',
      REQUEST_LOG: 'off',
    };
    this.origin = `http://127.0.0.1:${port}`;
    this.lanes = parts.map((lane) => openPartPool(lane));
    this.operators = parts.map((lane) => openPartPool(lane, ROLES.operator, 2));
    this.directory = openDirectory(postgres.url);
    const supervised = (verb: string, more: Settings) => new Supervised(verb, { ...this.settings, ...more });
    const pair = (verb: string, more: Settings = {}): Pair => [supervised(verb, more), supervised(verb, more)];
    this.api = supervised('api', {});
    this.ingest = pair('ingest');
    this.projector = pair('projector');
    this.ops = pair('ops', { NODE_OPTIONS: SMALL_CHUNKS });
  }

  static async open(seed: number): Promise<SoakWorld> {
    const [broker = 0, controller = 0, port = 0] = await freePorts(3);
    const address = `127.0.0.1:${broker}`;
    const kafka = await startKafkaNode(kafkaSettings(address, { broker, controller }, '127.0.0.1'));
    const postgres = await startKillablePostgres();
    await prepareDatabase(postgres.url, { lanes: LANES });
    const directory = openDirectory(postgres.url);
    for (const [fleetId, lane] of FLEETS) await addFleets(directory, [fleetId], lane);
    const parts = await listLanes(directory, postgres.url);
    await directory.end();
    const world = new SoakWorld(postgres, parts, kafka, await Stream.open([address], seed), [address], port);
    await untilReady(world.origin);
    return world;
  }

  /** All processes that run until the end. */
  get processes(): readonly Supervised[] {
    return [this.api, ...this.ingest, ...this.projector, ...this.ops];
  }

  /** Runs a query as the superuser in each lane. If PostgreSQL is restarting, waits for it. */
  async inLanes<Row extends object>(sql: string): Promise<Row[]> {
    const results = await Promise.all(this.lanes.map((lane) => retry(() => lane.query<Row>(sql))));
    return results.flatMap(({ rows }) => rows);
  }

  /** Describes replays, sessions and processes for the message about a failure. */
  async describe(): Promise<string> {
    const replays = await this.inLanes<object>(
      `SELECT replay_id, phase, halted, epoch, lease_expires_at - now() AS lease, error FROM replay
       ORDER BY replay_id DESC LIMIT 2`,
    );
    const sessions = await this.directory.query(
      `SELECT pid, application_name, state, wait_event, pg_blocking_pids(pid) AS blocked_by, now() - state_change AS since,
         left(query, 120) AS query FROM pg_stat_activity
       WHERE datname = current_database() AND state <> 'idle' ORDER BY state_change`,
    );
    const moves = await this.directory.query('SELECT * FROM fleet_move ORDER BY fleet_move_id DESC LIMIT 1');
    const ends = this.processes.map((process) => `--- ${process.name}: ${JSON.stringify(process.ownEnds.slice(-2))}`);
    const outputs = this.processes.map((process) => `--- ${process.name}\n${process.output()}`);
    return [
      ...[replays, sessions.rows, moves.rows].map((rows) => JSON.stringify(rows, null, 1)),
      ...ends,
      ...outputs,
    ].join('\n');
  }

  async close(): Promise<void> {
    await Promise.all(this.processes.map((process) => process.close()));
    await this.stream.close();
    await Promise.all([this.directory, ...this.lanes, ...this.operators].map((pool) => pool.end()));
    await this.kafka.stop();
    await this.postgres.stop();
  }
}
