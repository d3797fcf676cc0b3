import { expect, it } from 'vitest';
import { run } from '../../support/command.ts';
import { createTestDatabase } from '../../support/database.ts';
import { perSuite, untilTestEnds } from '../../support/fixtures.ts';
import { addressOf } from '../../support/metrics.ts';
import { openPipeline } from '../../support/pipeline.ts';
import { Processes } from '../../support/processes.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';

/** No server listens on this port, so requests to Kafka fail immediately. */
const NO_BROKER = '127.0.0.1:1';

describeWithPostgres('the ops process', () => {
  const database = perSuite(createTestDatabase);

  it('serves at the address it logs, applies its settings, and exits with 0 on SIGTERM', async () => {
    const settings = { DATABASE_URL: database.url, OPS_PORT: '0', OPS_TOKEN: 'open', KAFKA_BROKERS: NO_BROKER };
    const ops = untilTestEnds(new Processes(settings)).start('ops');
    const address = await addressOf(ops);
    const status = await fetch(`${address}/status`, { headers: { authorization: 'Bearer open' } });
    expect([status.status, await status.json()]).toMatchObject([200, { head_position: 0, sources: [] }]);
    expect((await fetch(`${address}/status`)).status).toBe(401);
    const readiness = async () => (await fetch(`${address}/readyz`)).json();
    await expect.poll(readiness).toMatchObject({ reason: 'ingest_missing', missing_seconds: null });
    expect(await ops.stop()).toBe(0);
  });

  it('runs jobs that are requested over HTTP', async () => {
    const pipeline = untilTestEnds(await openPipeline());
    const settings = { DATABASE_URL: pipeline.url, OPS_PORT: '0', OPS_TOKEN: 'open' };
    const ops = untilTestEnds(new Processes(settings)).start('ops');
    const address = await addressOf(ops);
    const ask = async (path: string, body?: object): Promise<Record<string, unknown>> => {
      const headers = { authorization: 'Bearer open', 'content-type': 'application/json' };
      const sent = body ? { method: 'POST', body: JSON.stringify(body) } : {};
      const answer = await fetch(`${address}${path}`, { headers, ...sent });
      expect(answer.ok, path).toBe(true);
      return JSON.parse(await answer.text());
    };
    const { id } = await ask('/replays', { projection: 'all', promote: true });
    const phase = async () => (await ask(`/replays/${id}`))['phase'];
    await expect.poll(phase).toBe('promoted');
    const requested = await ask('/audits', {});
    const audits = async () => (await ask('/audits'))['audits'];
    // The schedule may have started another audit before this audit.
    const audit = expect.objectContaining({ id: requested['id'], equal: true, faults: 0 });
    await expect.poll(audits).toContainEqual(audit);
    expect(await ops.stop()).toBe(0);
  });

  it.each([
    [{ OPS_PORT: 'x' }, 2, /^milepost: OPS_PORT must be a whole number from 0 to 65535/],
    [{ OPS_TOKEN: 'two words' }, 2, /^milepost: OPS_TOKEN must be/],
    [
      { DATABASE_URL: '', MILEPOST_HOME: '/nonexistent' },
      1,
      /^milepost: Milepost is not running under \/nonexistent: start it with `npm start` .* or set DATABASE_URL\.\n$/,
    ],
    [{ OPS_PORT: '0', HOST: '203.0.113.1' }, 1, /This machine does not have the address 203\.0\.113\.1: set HOST/],
  ])('exits with one clear sentence when %j is wrong', async (settings, code, sentence) => {
    const result = await run(['ops'], { DATABASE_URL: database.url, LOG_LEVEL: 'silent', ...settings });
    expect(result).toMatchObject({ code, stdout: '' });
    expect(result.stderr).toMatch(sentence);
  });
});
