import { setTimeout as delay } from 'node:timers/promises';
import { runAudit } from '@milepost/audit';
import { readHeadPosition } from '@milepost/event-log/head';
import { moveFleet } from '@milepost/fleet-move';
import { type Pool, ROLES, type Role } from '@milepost/postgres';
import type { Lane } from '@milepost/postgres/lanes';
import { RolePools } from '@milepost/postgres/lanes/role-pools';
import { PROJECTIONS } from '@milepost/projections';
import { Client } from 'pg';
import { expect, inject } from 'vitest';
import { prepareDatabase } from '../../apps/cli/prepare-database.ts';
import { JointAppender } from '../../apps/ingest/kafka/joint-appender.ts';
import { openLanes } from '../../apps/ingest/lanes.ts';
import { RecordReader } from '../../apps/ingest/records/record-reader.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { projectAll, TestLog } from './pipeline.ts';
import { fetchedRecord, runPartition } from './run-partition.ts';
import { firstValue, valuesOf } from './tables.ts';
import { type LaneCount, laneTemplateName } from './template.ts';

export const TOPIC = 'trips';
const FLUSH_MILLISECONDS = 100;
const PROJECT_MILLISECONDS = 25;

/** The records in a partition, as text. A record's index is its offset. */
type Stream = string[];

interface RunningIngest {
  /** Stops fetching a partition, or starts fetching it again. */
  pause: (partition: number, isPaused: boolean) => void;
  end: () => Promise<void>;
}

const CREATE_TEMPLATE_LOCK = 724_061_599;

/** Creates a database with lanes and read tables, as a clone of a template that the run's first caller creates. */
export async function createLaneDatabase(lanes: LaneCount): Promise<TestDatabase> {
  const template = laneTemplateName(inject('template'), lanes);
  const server = new Client({ connectionString: inject('postgresUrl') ?? '' });
  await server.connect();
  try {
    await server.query(`SELECT pg_advisory_lock(${CREATE_TEMPLATE_LOCK})`);
    const { rowCount } = await server.query('SELECT FROM pg_database WHERE datname = $1', [template]);
    if (rowCount === 0) {
      const { url } = await createTestDatabase();
      await prepareDatabase(url, { lanes });
      const name = new URL(url).pathname.slice(1);
      // The template gets its name only now that it is complete. Open connections would make every clone fail.
      await server.query(`ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS false`);
      await server.query(`ALTER DATABASE ${name} RENAME TO ${template}`);
    }
  } finally {
    await server.end();
  }
  return await createTestDatabase(template);
}

/** A database with several lanes, partitions that a test fills, and the parts of Milepost's processes that use them. */
export class LaneWorld extends TestLog {
  readonly lanes: readonly Lane[];
  readonly streams: readonly Stream[];
  readonly directory = this.openDirectory();
  readonly owners: readonly Pool[];
  readonly #opened = new Map<string, Pool>();
  #reader: RecordReader | undefined;
  readonly #stopped = new AbortController();
  readonly #running: Promise<unknown>[] = [];
  readonly #ingests: RunningIngest[] = [];

  private constructor(database: TestDatabase, lanes: number, partitions: number) {
    super(database);
    this.lanes = Array.from({ length: lanes }, (_, number) => this.lane(number));
    this.streams = Array.from({ length: partitions }, () => []);
    this.owners = this.lanes.map(({ number }) => this.pool(number));
  }

  static async create(lanes: LaneCount = 2, partitions = 2): Promise<LaneWorld> {
    return new LaneWorld(await createLaneDatabase(lanes), lanes, partitions);
  }

  /** Connections to a lane, made as a role or as the superuser. They stay open until the world is closed. */
  pool(lane: number, role?: Role): Pool {
    const name = `${lane} ${role}`;
    const pool = this.#opened.get(name) ?? this.open(this.lane(lane), role);
    this.#opened.set(name, pool);
    return pool;
  }

  /** The superuser's connections to a lane. */
  owner(lane: number): Pool {
    return this.pool(lane);
  }

  /** Returns the value of a query's only column in each lane. */
  async inEachLane<Value>(sql: string): Promise<(Value | undefined)[]> {
    return await Promise.all(this.owners.map(async (owner) => await firstValue<Value>(owner, sql)));
  }

  /** Adds records to a partition. An object becomes JSON. */
  publish(partition: number, ...records: readonly (object | string)[]): void {
    this.streams[partition]?.push(...records.map((each) => (typeof each === 'string' ? each : JSON.stringify(each))));
  }

  async place(fleetId: string, lane: number): Promise<void> {
    await this.directory.query('INSERT INTO fleet (fleet_id, lane) VALUES ($1, $2)', [fleetId, lane]);
  }

  async laneOf(fleetId: string): Promise<number> {
    return (await this.directory.query('SELECT lane FROM fleet WHERE fleet_id = $1', [fleetId])).rows[0]?.lane;
  }

  /** Returns the drivers of a fleet's stored events in a lane, except erasures, in the order of the lane's log. */
  async driversOf(fleetId: string, lane: number): Promise<string[]> {
    const sql = 'SELECT driver_id FROM stored_event WHERE fleet_id = $1 AND kind <> 4 ORDER BY position';
    return await valuesOf(this.owner(lane), sql, [fleetId]);
  }

  /** Discards all open dead letters in a lane, as an operator does before a move. */
  async discardLetters(lane: number): Promise<void> {
    const sql = "UPDATE dead_letter SET resolution = 'discarded', resolved_at = now() WHERE resolution IS NULL";
    await this.owner(lane).query(sql);
  }

  /** Applies the logs of all lanes until the test ends. */
  project(): void {
    for (const { number } of this.lanes) {
      const projector = this.pool(number, ROLES.projector);
      const loop = async () => {
        let applied = -1;
        for (; !this.#stopped.signal.aborted; await delay(PROJECT_MILLISECONDS)) {
          const head = await readHeadPosition(projector);
          if (head > applied) await projectAll({ projector });
          applied = head;
        }
      };
      this.#running.push(loop());
    }
  }

  /** Runs an ingest process on all partitions, with its own list of fleets. */
  async ingest(): Promise<RunningIngest> {
    const stop = new AbortController();
    const signal = AbortSignal.any([stop.signal, this.#stopped.signal]);
    const opened = openLanes(this.url, 'milepost-test');
    const lanes = await opened.read();
    this.#reader ??= new RecordReader();
    const reader = this.#reader;
    const appenders = new Map([...lanes.pools].map(([lane, pool]) => [lane, new JointAppender(pool)]));
    const paused = new Set<number>();
    const running = this.streams.map(async (stream, number) => {
      const range = (): [number, number] => [0, stream.length];
      const fetch = (first: number) => {
        if (paused.has(number) || first >= stream.length) return null;
        const end = Math.min(stream.length, first + 20);
        const records = stream.slice(first, end).map((text, index) => fetchedRecord(first + index, Buffer.from(text)));
        return { first, last: end - 1, records };
      };
      const options = { lanes: { ...lanes, appenders, turns: new Map() }, reader, signal };
      const { partition, ended } = runPartition(TOPIC, number, { range, fetch }, options);
      const flushing = async () => {
        for (; !signal.aborted; await delay(FLUSH_MILLISECONDS)) await partition.flush();
      };
      await Promise.all([ended, flushing()]);
    });
    const done = Promise.all(running);
    const ingest = {
      pause: (partition: number, isPaused: boolean) =>
        void (isPaused ? paused.add(partition) : paused.delete(partition)),
      end: async () => {
        this.#ingests.splice(this.#ingests.indexOf(ingest), 1);
        stop.abort();
        await done;
        await opened.end();
      },
    };
    this.#ingests.push(ingest);
    return ingest;
  }

  /** Starts the projectors and an ingest process. Resolves when they have applied these records from partition 0. */
  async start(...records: readonly (object | string)[]): Promise<void> {
    this.project();
    await this.ingest();
    this.publish(0, ...records);
    await this.untilApplied();
  }

  /** Moves a fleet as the command does. */
  async move(fleetId: string, toLane: number, signal = new AbortController().signal) {
    await using log = new TestLog({ url: this.url });
    const directory = log.openDirectory(ROLES.operator, 2);
    const pools = new RolePools(directory, (lane: Lane, role: Role) => log.open(lane, role));
    return await moveFleet({ directory, lanes: await pools.list(), fleetId, toLane, operator: 'test', signal });
  }

  /** Returns the faults found by an audit of a lane. */
  async audit(lane: number): Promise<object[]> {
    const scope = { projection: null, stalledAfterSeconds: 60 };
    return (await runAudit(this.pool(lane, ROLES.projector), PROJECTIONS, scope)).report.faults;
  }

  /** Returns the next offset that a lane reads from a partition. */
  async offset(lane: number, partition: number): Promise<number> {
    const sql = 'SELECT next_offset FROM log_source WHERE topic = $1 AND partition = $2';
    return (await firstValue<number>(this.owner(lane), sql, [TOPIC, partition])) ?? 0;
  }

  /** Resolves when every lane has read all partitions to the end and has applied its log. */
  async untilApplied(lanes = this.lanes.map(({ number }) => number)): Promise<void> {
    for (const lane of lanes) {
      for (const [partition, stream] of this.streams.entries()) {
        await expect
          .poll(() => this.offset(lane, partition), { message: `lane ${lane}, partition ${partition}` })
          .toBe(stream.length);
      }
      const sql = 'SELECT (SELECT position FROM log_head) = (SELECT min(checkpoint) FROM generation WHERE live)';
      await expect.poll(() => firstValue(this.owner(lane), sql)).toBe(true);
    }
  }

  override async close(): Promise<void> {
    this.#stopped.abort();
    await Promise.all([...this.#ingests].map((ingest) => ingest.end()));
    await Promise.all(this.#running);
    await this.#reader?.close();
    await super.close();
  }
}
