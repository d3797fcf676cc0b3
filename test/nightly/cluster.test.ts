import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { askOverHttp, compareAnswers } from '../support/compare-with-model.ts';
import { startStackPrometheus } from '../support/compose/prometheus.ts';
import { createStack, type Stack } from '../support/compose/stack.ts';
import { describeWithCompose } from '../support/compose/suite.ts';
import { fleetMessages } from '../support/fleet-messages.ts';
import { ROOT } from '../support/milepost.ts';
import { daysAfter, Model, utcDate } from '../support/model/index.ts';
import { Shell } from '../support/readme/shell.ts';
import { readmeSteps } from '../support/readme/steps.ts';
import type { Message } from '../support/topics.ts';

const FLEETS = ['north', 'east', 'south', 'west', 'middle'];
const DAYS = 10;
const SEED = 23;
const BROKERS = 'kafka-1:9092,kafka-2:9092,kafka-3:9092';
const OPS = 'cluster-ops';
const API_PORT = '3000';

const LANES = readFileSync(join(ROOT, 'docs/lanes.md'), 'utf8');
const [, section = ''] = /^## A Citus cluster$(.*?)^## /ms.exec(LANES) ?? [];
const commands = readmeSteps(section).map(({ command }) => command);

interface Fleet {
  fleet_id: string;
  lane: number;
}

/** Returns the messages of a fleet with one driver. Their order does not depend on the partitions' order. */
function messagesOf(fleetId: string, seed: number, now: number): Message[] {
  const messages = fleetMessages(fleetId, seed, now, { drivers: 1, days: DAYS });
  return messages.filter(({ key }) => !key.endsWith('/just-arrived'));
}

await describeWithCompose('the cluster profile of docker-compose.yml', () => {
  const now = Date.now();
  let stack: Stack;

  const cli = async (...words: string[]) => await stack.exec(OPS, 'milepost', ...words);

  /** Publishes messages with a tool in the broker's container. The messages in a topic keep their order. */
  async function publish(messages: readonly Message[]): Promise<void> {
    const folder = await mkdtemp(join(tmpdir(), 'milepost-cluster-'));
    for (const topic of ['trips', 'drivers']) {
      const own = messages.filter((message) => message.topic === topic);
      await writeFile(join(folder, topic), own.map(({ key, value }) => `${key}\t${value}\n`).join(''));
      await stack.compose('cp', join(folder, topic), `kafka-2:/tmp/${topic}`);
      const tool = '/opt/kafka/bin/kafka-console-producer.sh --property parse.key=true';
      const command = `${tool} --bootstrap-server ${BROKERS} --topic milepost.${topic} < /tmp/${topic}`;
      await stack.exec('kafka-2', 'sh', '-c', command);
    }
    await rm(folder, { recursive: true });
  }

  beforeAll(async () => {
    stack = await createStack();
    const shell = new Shell(ROOT, { ...process.env, ...stack.environment });
    for (const command of commands) await shell.run(command);
    await shell.end();
  });
  afterAll(async () => {
    await stack?.remove();
  });

  it('runs two processes of each kind, and ops, after the commands in the document', async () => {
    const services = (await stack.compose('ps', '--format', '{{.Service}}')).split('\n').sort();
    const doubled = ['cluster-api', 'cluster-ingest', 'cluster-projector'].flatMap((name) => [name, name]);
    const nodes = ['coordinator', 'kafka-1', 'kafka-2', 'kafka-3', 'redis', 'worker-1', 'worker-2'];
    expect(services).toEqual([...doubled, OPS, ...nodes].sort());
    const owners = `SELECT string_agg(DISTINCT nodename, ' ' ORDER BY nodename) FROM citus_shards`;
    expect(await stack.exec('coordinator', 'psql', '-U', 'milepost', '-tAc', owners)).toBe('worker-1 worker-2');
  });

  it('gives correct responses from both APIs for fleets in different lanes', async () => {
    const model = new Model();
    const messages = FLEETS.flatMap((fleetId, index) => messagesOf(fleetId, SEED + index, now));
    await publish(messages);
    for (const { value, broken } of messages) model.deliver(broken ? null : String(value));
    expect(await stack.countRecords('kafka-1')).toBeGreaterThan(model.counts.read);
    await stack.allShown(OPS, 'kafka-1');
    const fleets: Fleet[] = JSON.parse(await cli('fleets', 'list', '--json'));
    const placed = fleets.filter(({ fleet_id }) => FLEETS.includes(fleet_id));
    expect(placed.length).toBe(FLEETS.length);
    expect(new Set(placed.map(({ lane }) => lane)).size).toBeGreaterThan(1);
    for (const fleetId of FLEETS) {
      const key = await cli('keys', 'create', '--fleet', fleetId);
      for (const index of ['1', '2']) {
        const address = await stack.compose('port', '--index', index, 'cluster-api', API_PORT);
        const firstDate = daysAfter(utcDate(now), -DAYS);
        const ask = askOverHttp(`http://${address}`, key);
        expect(await compareAnswers(ask, model, { fleetId, firstDate, now: Date.now() })).toBeGreaterThan(0);
      }
    }
  }, 900_000);

  it('lets Prometheus in the profile monitoring read every process', async () => {
    const prometheus = await startStackPrometheus(stack);
    const doubled = ['milepost-api', 'milepost-ingest', 'milepost-projector'].flatMap((job) => [job, job]);
    const all = [...doubled, 'milepost-ops'].sort();
    await stack.until(async () => (await prometheus.jobs('up==1')).length === all.length);
    expect(await prometheus.jobs('up==1')).toEqual(all);
  });
});
