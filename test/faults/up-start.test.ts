import type { ChildProcess } from 'node:child_process';
import { Client } from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { createTestDatabase } from '../support/database.ts';
import { startLosingPostgres } from '../support/faults/losing-postgres.ts';
import { milepost } from '../support/milepost.ts';
import { describeWithPostgres } from '../support/service-suites.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { UpHome } from '../support/up-home.ts';

describeWithPostgres('the start of up', () => {
  const home = new UpHome();

  /** Starts `up` on a database. Whenever `up` prints something, `onSaid` receives everything on stderr so far. */
  async function startUp(url: string, onSaid: (said: string) => void = () => {}) {
    let said = '';
    const onStart = (child: ChildProcess) =>
      child.stderr?.on('data', (chunk: Buffer) => {
        said += chunk.toString();
        onSaid(said);
      });
    return await home.start(milepost(['up']), { DATABASE_URL: url }, onStart);
  }

  async function assertSampleFleet(lines: readonly string[], url: string): Promise<void> {
    expect(lines.join('\n')).toContain('mp_');
    const client = new Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query('SELECT position, (SELECT count(*) FROM stored_event) AS count FROM log_head');
    await client.end();
    expect(Number(rows[0].position)).toBeGreaterThan(5_000);
    expect(rows[0].count).toBe(rows[0].position);
  }

  it('waits for a PostgreSQL that hangs while the sample fleet is loaded', async () => {
    const database = await createTestDatabase();
    onTestFinished(database.drop);
    const url = new URL(database.url);
    const proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port) });
    onTestFinished(proxy.cut);
    url.host = `127.0.0.1:${proxy.port}`;
    let isFrozen = false;
    const up = await startUp(url.href, (said) => {
      if (!isFrozen && said.includes('Loading a sample fleet')) {
        isFrozen = true;
        proxy.freeze();
      } else if (said.includes('Retrying.')) proxy.thaw();
    });
    expect(isFrozen).toBe(true);
    await assertSampleFleet(up.lines, database.url);
    up.child.kill('SIGTERM');
    expect(await up.ended).toEqual([0, null]);
  });

  it('reconnects in every step during which the connection to PostgreSQL is lost', async () => {
    const database = await createTestDatabase();
    onTestFinished(database.drop);
    const postgres = await startLosingPostgres(database.url);
    onTestFinished(() => postgres.close());
    const up = await startUp(postgres.url);
    await assertSampleFleet(up.lines, database.url);
    up.child.kill('SIGTERM');
    expect(await up.ended).toEqual([0, null]);
    const lost = (applicationName: string) => postgres.lost().filter((name) => name === applicationName).length;
    // Two connections are lost, one to the lane and one to the directory, because their search paths differ.
    expect(lost('milepost-migrate')).toBe(2);
    // The steps are the first connection, the queue, the generations, the outdated tables, the sample fleet (four
    // times) and the welcome.
    expect(lost('milepost-cli')).toBeGreaterThanOrEqual(8);
  });
});
