import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { type Deployment, deploy } from '../support/deployment.ts';
import { fleetMessages } from '../support/fleet-messages.ts';
import { send } from '../support/http.ts';
import { judgeLanes } from '../support/judge-lanes.ts';
import { daysAfter, utcDate } from '../support/model/index.ts';
import { type CitusCluster, startCitus } from '../support/services/containers/citus.ts';
import { containers } from '../support/services/containers/index.ts';
import { freePorts } from '../support/services/free-port.ts';
import type { Message } from '../support/topics.ts';

const LANES = 4;
const SEED = 49;
const FLEETS = ['north', 'east', 'south', 'west', 'middle'];
const DAYS = 20;
/** The goal is one second. A busy machine needs longer for everything. */
const MAX_GAP_MILLISECONDS = 5_000;

const firstDateOf = (now: number) => daysAfter(utcDate(now), -DAYS);

/** The messages of all fleets, mixed. */
function mixedMessages(now: number): Message[] {
  const lists = FLEETS.map((fleetId, index) => fleetMessages(fleetId, SEED + index, now, { drivers: 4, days: DAYS }));
  const longest = Math.max(...lists.map((list) => list.length));
  return Array.from({ length: longest }, (_, index) => lists.flatMap((list) => list[index] ?? [])).flat();
}

type OnCluster = Deployment & { cluster: CitusCluster };

/** Deploys Milepost with four lanes on a cluster of three nodes, until the end of the test. */
async function deployOnCluster(): Promise<OnCluster> {
  const cluster = await startCitus();
  onTestFinished(cluster.stop);
  const kafka = await containers.kafka();
  onTestFinished(kafka.stop);
  return { ...(await deploy(kafka.address, LANES, cluster.url)), cluster };
}

/** Starts `ops`, which runs the replays. */
async function startOps({ processes }: Deployment): Promise<void> {
  const [port = 0] = await freePorts(1);
  processes.settings['OPS_PORT'] = String(port);
  processes.start('ops');
}

/**
 * Requests the drivers of a fleet every 10 ms until the signal aborts. Returns the longest time between two answers.
 */
async function longestGap({ origin }: Deployment, key: string, signal: AbortSignal): Promise<number> {
  let longest = 0;
  let answeredAt = performance.now();
  while (!signal.aborted) {
    const headers = { authorization: `APIKEY ${key}`, 'content-type': 'application/json' };
    const { statusCode } = await send(origin, { path: '/api/v1/drivers', headers });
    const now = performance.now();
    if (statusCode === 200) {
      longest = Math.max(longest, now - answeredAt);
      answeredAt = now;
    }
    await delay(10);
  }
  return longest;
}

/** Moves a lane to the other worker. */
async function moveLane({ owner, cluster }: OnCluster, lane: number): Promise<void> {
  const { rows } = await owner.query<{ port: number }>(
    'SELECT nodeport AS port FROM citus_shards WHERE table_name = $1::regclass',
    [`milepost_lane_${lane}.log_head`],
  );
  const other = cluster.workers.find(({ port }) => port !== rows[0]?.port);
  await owner.query("SELECT citus_schema_move($1, '127.0.0.1', $2, 'force_logical')", [
    `milepost_lane_${lane}`,
    other?.port,
  ]);
}

it('answers as the model does, and replays, promotes, rolls back, audits and erases', async () => {
  const deployment = await deployOnCluster();
  const { processes, topics } = deployment;
  const now = Date.now();
  const ingest = processes.start('ingest');
  await startOps(deployment);
  await topics.publish(mixedMessages(now));
  await deployment.untilApplied();
  expect(await judgeLanes(deployment, FLEETS, firstDateOf(now)), `seed ${SEED}`).toBe(LANES);
  for (let lane = 0; lane < LANES; lane += 1) {
    const replay = async (...words: string[]) => await processes.run('replay', ...words, '--lane', String(lane));
    await replay('start', 'all', '--promote', '--wait');
    const live = await deployment.lanes[lane]?.query('SELECT DISTINCT generation FROM generation WHERE live');
    expect(live?.rows).toEqual([{ generation: 2 }]);
    await replay('rollback', 'all', '--wait');
  }
  expect(await judgeLanes(deployment, FLEETS, firstDateOf(now)), `seed ${SEED}`).toBe(LANES);
  for (let lane = 0; lane < LANES; lane += 1) await processes.run('audit', '--lane', String(lane));
  for (const fleetId of FLEETS) {
    const { drivers } = JSON.parse(await processes.run('drivers', 'list', '--fleet', fleetId, '--json'));
    await processes.run('drivers', 'erase', '--fleet', fleetId, '--driver', drivers[0], '--reason', 'test', '--yes');
  }
  for (let lane = 0; lane < LANES; lane += 1) await processes.run('audit', '--lane', String(lane));
  expect(await ingest.stop()).toBe(0);
});

it('loses and duplicates nothing while a lane moves to another node, and after a worker was killed', async () => {
  const deployment = await deployOnCluster();
  const { processes, topics, cluster, directory } = deployment;
  const now = Date.now();
  const messages = mixedMessages(now);
  const third = Math.ceil(messages.length / 3);
  processes.start('ingest');
  await topics.publish(messages.slice(0, third));
  await deployment.untilApplied();
  const { rows } = await directory.query<{ fleet_id: string; lane: number }>('SELECT fleet_id, lane FROM fleet');
  const keys = new Map<number, string>();
  for (const { fleet_id, lane } of rows) {
    keys.set(lane, (await processes.run('keys', 'create', '--fleet', fleet_id)).trim());
  }
  const moved = new AbortController();
  const gaps = [...keys].map(async ([lane, key]) => [lane, await longestGap(deployment, key, moved.signal)] as const);
  const publishing = topics.publish(messages.slice(third, 2 * third));
  await moveLane(deployment, 1);
  await publishing;
  // The processes look for the node once a second.
  await delay(3_000);
  moved.abort();
  const measured = new Map(await Promise.all(gaps));
  process.stdout.write(`The longest gaps between answers by lane, in ms: ${[...measured].join('; ')}\n`);
  expect(measured.get(1)).toBeLessThan(MAX_GAP_MILLISECONDS);
  await cluster.workers[0]?.kill();
  await topics.publish(messages.slice(2 * third));
  await cluster.workers[0]?.start();
  await deployment.untilApplied();
  expect(await judgeLanes(deployment, FLEETS, firstDateOf(now)), `seed ${SEED}`).toBe(LANES);
});
