import { claimSource, recordHeartbeats } from '@milepost/event-log/sources';
import { addKafkaFinding, type KafkaFinding, replaceKafkaFindings } from '@milepost/kafka/findings';
import { acceptSource } from '@milepost/operations/sources';
import { showStatus } from '@milepost/operations/status';
import { inSnapshot } from '@milepost/postgres';
import { readProgress } from '@milepost/status/log-status';
import { beforeEach, expect, it } from 'vitest';
import { contentOf } from '../../support/answers.ts';
import { run } from '../../support/command.ts';
import { auditTrail, describeWithOwnOps, opsProblem, readinessOf, requestOf } from '../../support/ops.ts';
import { deliver } from '../../support/pipeline.ts';
import { driverProfile } from '../../support/records.ts';

const READY = [200, { status: 'ready' }];
const PATH = '/sources/milepost.drivers/0/accept';

describeWithOwnOps('a source with a fault', (world) => {
  beforeEach(async () => {
    await deliver(world.pipeline.ingest, [driverProfile()], 'milepost.drivers');
    await deliver(world.pipeline.ingest, [driverProfile()], 'milepost.trips');
  });

  const status = async (ops = world.ops) => contentOf(await ops.inject(requestOf('/status')), showStatus.answer);

  it('is one of the sources in the status, each with its end offset if that is known', async () => {
    expect(await status()).toMatchObject({ head_position: 1, sources: [{ end_offset: null, lag: null }, {}] });
    const asked: string[][] = [];
    const ops = await world.build({
      askEndOffsets: async (topics) => {
        asked.push([...topics]);
        return new Map([['milepost.drivers/0', 12]]);
      },
    });
    const { sources } = await status(ops);
    expect(sources).toMatchObject([{ next_offset: 1, end_offset: 12, lag: 11 }, { end_offset: null }]);
    expect(asked).toEqual([['milepost.drivers', 'milepost.trips']]);
  });

  it("is listed with the newest source's warnings first, however few records they concern", async () => {
    await world.pipeline.owner.query(
      `INSERT INTO source_warning (source_id, reason, field, records)
       SELECT source_id, 'unknown_field', field, CASE topic WHEN 'milepost.drivers' THEN 90 ELSE few END
       FROM log_source, (VALUES ('/a', 2), ('/b', 3)) AS warned (field, few)`,
    );
    expect((await status()).warnings.map(({ topic, field, records }) => `${topic} ${field} ${records}`)).toEqual([
      ...['milepost.trips /b 3', 'milepost.trips /a 2', 'milepost.drivers /a 90', 'milepost.drivers /b 90'],
    ]);
  });

  it('has progress that the roles of ingest and projector can read, as their health checks need it', async () => {
    for (const pool of [world.pipeline.ingest, world.pipeline.projector]) {
      expect(await inSnapshot(pool, readProgress)).toMatchObject({ head_position: 1, sources: [{}, {}] });
    }
  });

  const fault = async (stopped: boolean) =>
    await world.pipeline.owner.query(
      `UPDATE log_source SET stopped = $1, fault = 'It was created again.', fault_at = now() WHERE topic = 'milepost.drivers'`,
      [stopped],
    );

  it('is shown with the problems that ingest has found with Kafka', async () => {
    const message = 'The topic "milepost.trips" cannot be read.';
    const warning = 'The topic "milepost.trips" is compacted.';
    const error: KafkaFinding = { topic: 'milepost.trips', code: 'topic_denied', isWarning: false, message };
    const { ingest } = world.pipeline;
    const ops = await world.build({ askEndOffsets: async () => new Map() });
    const ready = async () => (await readinessOf(ops))[1];
    const missing = { reason: 'ingest_missing', missing_seconds: null };

    await replaceKafkaFindings(ingest, [{ ...error, code: 'topic_compacted', isWarning: true, message: warning }]);
    expect(await ready()).toEqual({ status: 'not_ready', ...missing, limit_seconds: 60 });
    await addKafkaFinding(ingest, error);
    expect(await ready()).toMatchObject({ ...missing, kafka_error: message });
    await recordHeartbeats(ingest, [await claimSource(ingest, 'milepost.trips', 0)]);
    expect(await ready()).toEqual({ status: 'not_ready', reason: 'source_fault', kafka_error: message });
    // Without Kafka, an earlier finding is meaningless.
    expect(await readinessOf(world.ops)).toEqual(READY);

    const shown = { topic: 'milepost.trips', found_at: expect.any(String) };
    expect((await status()).kafka_findings).toEqual([
      { ...shown, code: 'topic_denied', severity: 'error', message },
      { ...shown, code: 'topic_compacted', severity: 'warning', message: warning },
    ]);
    const { stdout } = await run(['status'], { DATABASE_URL: world.pipeline.url });
    expect(stdout).toMatch(new RegExp(`Kafka since .*: ${message}\n\nWarning since .*: ${warning}\n`));
    const metrics = async () => (await (await world.build({})).inject('/metrics')).body;
    const metric = 'milepost_kafka_finding{topic="milepost.trips",code="topic_denied",severity="error"} 1';
    expect(await metrics()).toContain(metric);

    await replaceKafkaFindings(ingest, []);
    expect(await ready()).toEqual({ status: 'ready' });
    expect(await metrics()).not.toContain('milepost_kafka_finding{');
  });

  it.each([true, false])(
    'makes the service not ready and is shown with its cause until an operator accepts an offset (stopped: %s)',
    async (stopped) => {
      expect(await readinessOf(world.ops)).toEqual(READY);
      await fault(stopped);
      expect(await readinessOf(world.ops)).toEqual([503, { status: 'not_ready', reason: 'source_fault' }]);
      expect((await status()).sources).toMatchObject([
        { topic: 'milepost.drivers', stopped, fault: 'It was created again.', fault_at: expect.any(String) },
        { topic: 'milepost.trips', stopped: false, fault: null, fault_at: null },
      ]);
      const metrics = (await (await world.build({})).inject('/metrics')).body;
      expect(metrics).toContain('milepost_source_fault{topic="milepost.drivers",partition="0"} 1');
      expect(metrics).toContain('milepost_source_fault{topic="milepost.trips",partition="0"} 0');

      const next_offset = stopped ? 7 : 0;
      const from = stopped ? 7 : 'beginning';
      const source = { topic: 'milepost.drivers', partition: 0 };
      const accepted = contentOf(await world.post(PATH, { from }), acceptSource.answer);
      expect(accepted).toEqual({ ...source, abandoned_offset: 1, next_offset });
      expect((await auditTrail(world))[0]).toMatchObject({
        action: 'sources.accept',
        outcome: 'done',
        parameters: { ...source, from },
        detail: `milepost.drivers/0 continues at offset ${next_offset} instead of 1`,
      });
      expect(await readinessOf(world.ops)).toEqual(READY);
    },
  );

  it.each([false, true])(
    'is accepted by a command that names several sources, each with its own line (JSON: %s)',
    async (json) => {
      await world.pipeline.owner.query(
        "UPDATE log_source SET stopped = true, fault = 'It was created again.', fault_at = now(), next_offset = 3",
      );
      const words = ['sources', 'accept', 'milepost.drivers/0', 'milepost.trips/0', '--from', '2'];
      const accepted = await run(json ? [...words, '--json'] : words, { DATABASE_URL: world.pipeline.url });
      expect([accepted.code, accepted.stderr]).toEqual([0, '']);
      const { rows } = await world.pipeline.owner.query<{ topic: string; offset: number; fault: string | null }>(
        'SELECT topic, next_offset::integer AS offset, fault FROM log_source ORDER BY topic',
      );
      expect(rows).toEqual(['milepost.drivers', 'milepost.trips'].map((topic) => ({ topic, offset: 2, fault: null })));
      if (json) {
        const answers: unknown = JSON.parse(`[${accepted.stdout.trim().replaceAll(/\}\n\{/g, '},{')}]`);
        expect(answers).toEqual(
          rows.map(({ topic }) => ({ topic, partition: 0, abandoned_offset: 3, next_offset: 2 })),
        );
      } else {
        expect(accepted.stdout).toMatch(/^milepost\.drivers\/0 .* 2 .* 3\b.*\nmilepost\.trips\/0 .* 2 .* 3\b.*\n$/);
      }
      // Neither source has a fault at this point.
      const refused = await run(words, { DATABASE_URL: world.pipeline.url });
      expect(refused).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('milepost.drivers/0') });
    },
  );

  it('is the only kind of source for which an operator may accept an offset, and refusals are recorded', async () => {
    for (const path of [
      PATH,
      '/sources/nothing/0/accept',
      '/sources/%00/0/accept',
      '/sources/milepost.drivers/x/accept',
    ]) {
      opsProblem(await world.post(path, { from: 0 }), 409, 'source_refused');
    }
    expect((await auditTrail(world))[0]).toMatchObject({ action: 'sources.accept', outcome: 'refused' });
  });
});
