import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { type Deployment, deploy } from '../support/deployment.ts';
import { untilReady } from '../support/faults/patience.ts';
import { untilTestEnds } from '../support/fixtures.ts';
import { firstDateOf, fleetMessages } from '../support/fleet-messages.ts';
import { headersOf } from '../support/http.ts';
import { judge } from '../support/judge.ts';
import { Processes, type RunningProcess } from '../support/processes.ts';
import { forEachBalancer, READY_SERVERS } from '../support/reverse-proxies.ts';
import { describeWithKafka } from '../support/service-suites.ts';
import { freePorts } from '../support/services/free-port.ts';

const SEED = 83;
const FLEET = 'rolling';
const READERS = 8;
const BATCH = 6;
const PAUSE_MILLISECONDS = 100;

/** One of the two processes of a kind. */
interface Replica {
  verb: string;
  running: RunningProcess;
  start: () => RunningProcess;
  /** Resolves when the process is ready to work. */
  untilReady: (running: RunningProcess) => Promise<void>;
}

describeWithKafka('a rolling restart of two processes of each kind', (brokers) => {
  /** Starts a second process of each kind. Returns all processes and the ports of both APIs. */
  async function startReplicas(deployment: Deployment): Promise<{ replicas: Replica[]; ports: number[] }> {
    const { processes } = deployment;
    const [port = 0] = await freePorts(1);
    const more = { OPS_PORT: '0', SHUTDOWN_DELAY_SECONDS: '2' };
    const second = untilTestEnds(new Processes({ ...processes.settings, ...more, PORT: String(port) }));
    const first = untilTestEnds(new Processes({ ...processes.settings, ...more }));
    const untilPrinted = (text: string) => async (running: RunningProcess) =>
      await expect.poll(() => running.output()).toContain(text);
    const replica = (
      verb: string,
      own: Processes,
      untilReady: Replica['untilReady'],
      running = own.start(verb),
    ): Replica => ({ verb, running, start: () => own.start(verb), untilReady });
    // The first API and the first projector stop with the default delay.
    return {
      ports: [Number(new URL(deployment.origin).port), port],
      replicas: [
        ...[first, second].map((own) => replica('ops', own, untilPrinted('is listening'))),
        replica('projector', first, untilPrinted('projector started'), deployment.projector),
        replica('projector', second, untilPrinted('projector started')),
        ...[first, second].map((own) => replica('ingest', own, untilPrinted('ingest started'))),
        replica('api', first, () => untilReady(deployment.origin), deployment.api),
        replica('api', second, () => untilReady(`http://127.0.0.1:${port}`)),
      ],
    };
  }

  async function restart(replica: Replica): Promise<void> {
    expect(await replica.running.stop(), replica.verb).toBe(0);
    replica.running = replica.start();
    await replica.untilReady(replica.running);
  }

  forEachBalancer((open) => {
    it('fails no request, and loses and duplicates no record', async () => {
      const deployment = await deploy(brokers);
      const { topics, processes } = deployment;
      const now = Date.now();
      const messages = fleetMessages(FLEET, SEED, now, { drivers: 6 });
      const { replicas, ports } = await startReplicas(deployment);
      for (const { running, untilReady } of replicas) await untilReady(running);
      const balancer = untilTestEnds(await open(async () => ports));
      const readyServers = async () => Number(await (await fetch(balancer.origin + READY_SERVERS)).text());
      const half = Math.floor(messages.length / 2);
      await topics.publish(messages.slice(0, half));
      await deployment.untilRead(half);
      const key = (await processes.run('keys', 'create', '--fleet', FLEET)).trim();
      let isEnding = false;
      const outcomes: Record<string, number> = {};

      async function read(): Promise<void> {
        for (; !isEnding; await delay(PAUSE_MILLISECONDS / 10)) {
          const outcome = await fetch(`${balancer.origin}/api/v1/drivers`, { headers: headersOf(key) }).then(
            async (response) => [response.status, (await response.text()).length > 0].join(),
            (error: unknown) => String(error instanceof Error ? (error.cause ?? error) : error),
          );
          outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
        }
      }

      async function publish(): Promise<void> {
        for (let from = half; from < messages.length; from += BATCH) {
          await topics.publish(messages.slice(from, from + BATCH));
          if (!isEnding) await delay(PAUSE_MILLISECONDS);
        }
      }

      const load = Promise.all([publish(), ...Array.from({ length: READERS }, read)]);
      const replaying = processes.run('replay', 'start', 'all', '--promote', '--wait');
      for (const replica of replicas) {
        await restart(replica);
        // HAProxy notices that a server is ready again only at its next check. Until then, it needs the other server.
        await expect.poll(readyServers).toBe(ports.length);
      }
      isEnding = true;
      await load;
      await replaying;
      expect(outcomes).toEqual({ '200,true': expect.any(Number) });
      expect(outcomes['200,true']).toBeGreaterThan(500);
      await deployment.untilApplied();
      await judge(deployment, { fleetIds: [FLEET], firstDate: firstDateOf(now) });
    }, 400_000);
  });

  it('also works while a newer release adds to the schema, and the older one does not start after a breaking change', async () => {
    const deployment = await deploy(brokers);
    const { topics, processes, owner } = deployment;
    const now = Date.now();
    const messages = fleetMessages(FLEET, SEED, now, { drivers: 8 });
    const { replicas } = await startReplicas(deployment);
    for (const { running, untilReady } of replicas) await untilReady(running);
    const half = Math.floor(messages.length / 2);
    const publishing = topics.publish(messages.slice(0, half));
    const record = 'INSERT INTO migration (number, name, breaking, content_hash) VALUES';
    for (const table of ['stored_event', 'log_source', 'generation', 'dead_letter', 'trips_1', 'drivers_1']) {
      await owner.query(`ALTER TABLE ${table} ADD COLUMN added_by_a_newer_release integer`);
    }
    await owner.query(`${record} (9000, 'additions', false, '')`);
    await publishing;
    await deployment.untilRead(half);
    for (const replica of replicas) await restart(replica);
    await topics.publish(messages.slice(half));
    await deployment.untilApplied();
    await judge(deployment, { fleetIds: [FLEET], firstDate: firstDateOf(now) });

    // These processes use the ports of the processes below.
    for (const { running } of replicas) await running.stop();
    await owner.query(`${record} (9001, 'other', true, '')`);
    for (const verb of new Set(replicas.map((replica) => replica.verb))) {
      const refused = await processes.run(verb).catch(String);
      // Other log lines may precede the sentence.
      expect(refused).toMatch(
        /exited with code 1: (\{.*\n)*milepost: Schema milepost has migration 9001 \(other\).*newer release\.\n$/,
      );
    }
  }, 400_000);
});
