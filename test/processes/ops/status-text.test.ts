import { once } from 'node:events';
import { claimSource, recordHeartbeats } from '@milepost/event-log/sources';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { run } from '../../support/command.ts';
import { perTest } from '../../support/fixtures.ts';
import { milepost, start } from '../../support/milepost.ts';
import { deliver, deliverAndProject, openPipeline, projectAll } from '../../support/pipeline.ts';
import { driverProfile, tripProcessed } from '../../support/records.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';

describeWithPostgres('the text of `milepost status`', () => {
  const pipeline = perTest(openPipeline);
  beforeEach(async () => {
    await deliver(pipeline.ingest, ['{broken'], 'milepost.drivers');
    await deliverAndProject(pipeline, [driverProfile(), tripProcessed()], 'milepost.trips');
  });

  async function text(): Promise<string> {
    const { code, stdout, stderr } = await run(['status'], { DATABASE_URL: pipeline.url });
    expect([code, stderr]).toEqual([0, '']);
    return stdout;
  }

  const SOURCES = `topic             partition  next offset  end offset  lag
milepost.drivers          0            1  -           -
milepost.trips            0            2  -           -
`;

  it('consists only of the position, the projections and the sources if nothing is wrong', async () => {
    const rows = await pipeline.rows(
      'SELECT projection, version, generation FROM generation WHERE live ORDER BY projection',
    );
    const [position, header, ...lines] = (await text()).split(/\n+/);
    expect(position).toBe('head position 2, open dead letters 1, files read 0');
    expect(header).toBe('name            version  generation  checkpoint  lag events  lag seconds');
    expect(lines.slice(0, rows.length).map((line) => line.split(/ +/))).toEqual(
      rows.map(({ projection, version, generation }) => [projection, `${version}`, `${generation}`, '2', '0', '0']),
    );
    expect(lines.slice(rows.length)).toEqual(SOURCES.split('\n'));
  });

  it('names each stopped projection with a command, and counts the stored events that are set aside', async () => {
    await pipeline.owner.query("UPDATE generation SET failure = 'It is broken.' WHERE projection = 'drivers'");
    await pipeline.owner.query(
      "UPDATE generation SET failure = 'It cannot read.', failed_position = 2 WHERE projection = 'trips'",
    );
    await pipeline.owner.query("INSERT INTO set_aside (position, reason) VALUES (1, 'a test')");
    const shown = await text();
    expect(shown).toContain(
      '\ndrivers is stopped. It is broken. `milepost replay start all --promote` rebuilds its read table.\n\ntrips is stopped. It cannot read. `milepost positions set-aside 2 --reason TEXT` lets it continue without this stored event.\n\n1 stored event is set aside: see `milepost positions list`.\n\n',
    );
    expect(shown.match(/is stopped/g)).toHaveLength(2);
  });

  it('names each source with a fault, and a command only if the source is stopped', async () => {
    await pipeline.owner.query(
      `UPDATE log_source SET fault = 'It was ' || topic, fault_at = '2025-01-31T08:00:00Z', stopped = topic LIKE '%drivers'`,
    );
    const [, faults] = (await text()).split(SOURCES);
    expect(faults).toBe(
      '\nmilepost.drivers/0 since 2025-01-31T08:00:00.000Z: It was milepost.drivers To resume it, run `milepost sources accept milepost.drivers/0 --from beginning` (or pass an offset instead of `beginning`).\n' +
        '\nmilepost.trips/0 since 2025-01-31T08:00:00.000Z: It was milepost.trips\n',
    );
  });

  it('lists running replays, warnings about records, and files that were read', async () => {
    const file = await run(
      ['ingest', '-'],
      { DATABASE_URL: pipeline.url },
      `${JSON.stringify({ ...driverProfile({ driver_id: 'other' }), unknown_word: 1 })}\n`,
    );
    expect(file.code).toBe(0);
    await projectAll(pipeline);
    expect((await run(['replay', 'start', 'trips'], { DATABASE_URL: pipeline.url })).code).toBe(0);
    const shown = await text();
    expect(shown).toMatch(/^head position 3, open dead letters 1, files read 1\n\n/);
    expect(shown).toMatch(
      /\n\nid {2}projection {2}state +done {2}left {2}verified {2}by +requested \(UTC\)\n 1 {2}trips +filling +0% +- +- +\S+ +\d{4}-\d\d-\d\d \d\d:\d\d\n/,
    );
    expect(shown).toMatch(
      /\n\nwarnings about stored records:\ntopic +reason +field +records\nfile:stdin {2}unknown_field +1\n\ntopic /,
    );
  });

  it('says that no process is reading Kafka if Kafka is configured, until one does', async () => {
    const kafka = { DATABASE_URL: pipeline.url, KAFKA_BROKERS: '127.0.0.1:1' };
    const sentence = 'No process has read from Kafka for a minute: is `milepost ingest` running?\n\n';
    expect(await text()).not.toContain('No process');
    expect((await run(['status'], kafka)).stdout).toContain(`files read 0\n\n${sentence}name `);
    await recordHeartbeats(pipeline.ingest, [await claimSource(pipeline.ingest, 'milepost.trips', 0)]);
    expect((await run(['status'], kafka)).stdout).not.toContain('No process');
  });

  it('is repeated with --watch, which shows changes, continues after errors, and ends on Ctrl-C', async () => {
    const child = start(milepost(['status', '--watch']), { DATABASE_URL: pipeline.url });
    onTestFinished(() => void child.kill('SIGKILL'));
    const ended = once(child, 'close');
    let output = '';
    child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    await expect.poll(() => output).toContain('head position 2,');
    await deliver(pipeline.ingest, [driverProfile({ driver_id: 'other' })], 'milepost.trips');
    await expect.poll(() => output).toContain('\n\nhead position 3,');
    await pipeline.owner.query('ALTER TABLE log_head RENAME TO away');
    await expect.poll(() => output).toContain('\n\nmilepost: The database ');
    await pipeline.owner.query('ALTER TABLE away RENAME TO log_head');
    const shownBefore = output.length;
    await expect.poll(() => output.slice(shownBefore)).toContain('head position 3,');
    expect(output).not.toContain('\u001b');
    child.kill('SIGINT');
    expect(await ended).toEqual([0, null]);
    expect(await run(['status', '--watch', '--json'], { DATABASE_URL: pipeline.url })).toEqual({
      code: 2,
      stdout: '',
      stderr: 'milepost: --watch and --json cannot be combined.\n',
    });
  });
});
