import { expect, it } from 'vitest';
import { deploy } from '../support/deployment.ts';
import { untilTestEnds } from '../support/fixtures.ts';
import { Processes } from '../support/processes.ts';
import { describeWithKafka } from '../support/service-suites.ts';
import { freePorts } from '../support/services/free-port.ts';

describeWithKafka('readiness of the ops process', (brokers) => {
  it('distinguishes an ingest that reads idle topics from a missing ingest', async () => {
    const { processes, owner } = await deploy(brokers);
    const [port] = await freePorts(1);
    untilTestEnds(new Processes({ ...processes.settings, OPS_PORT: String(port) })).start('ops');
    const readiness = async () => {
      const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
      return answer && { status: answer.status, body: await answer.json() };
    };
    const missing = { reason: 'ingest_missing', missing_seconds: null, limit_seconds: 60 };
    await expect.poll(readiness).toMatchObject({ status: 503, body: missing });

    const ingest = processes.start('ingest');
    await expect.poll(readiness).toEqual({ status: 200, body: { status: 'ready' } });
    // The test sets the heartbeat back by two minutes. Although the topics stay idle, ingest renews the heartbeat.
    const age = async () => await owner.query("UPDATE log_source SET held_at = now() - interval '2 minutes'");
    await age();
    await expect.poll(readiness).toMatchObject({ status: 200 });

    await ingest.kill();
    await age();
    expect(await readiness()).toMatchObject({ status: 503, body: { reason: 'ingest_missing' } });
  });
});
