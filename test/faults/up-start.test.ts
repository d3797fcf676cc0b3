import { readHeadPosition } from '@milepost/event-log/head';
import { expect, it } from 'vitest';
import { createTestDatabase } from '../support/database.ts';
import { startPostgresProxy } from '../support/faults/postgres-proxy.ts';
import { untilTestEnds } from '../support/fixtures.ts';
import { milepost } from '../support/milepost.ts';
import { openPool } from '../support/pipeline.ts';
import { describeWithPostgres } from '../support/service-suites.ts';
import { firstValue } from '../support/tables.ts';
import { startProxyTo } from '../support/tcp-proxy.ts';
import { type Up, UpHome } from '../support/up-home.ts';

/**
 * Starts a PostgreSQL proxy that drops every other connection from a client, starting with the first. `lost` returns
 * each dropped connection's application name. Connections belong to the same client if their start-up messages, which
 * contain the application, role and database, are identical.
 */
async function startLosingPostgres(url: string) {
  const seen = new Map<string, number>();
  const lost: string[] = [];
  const proxy = await startPostgresProxy(url, (client, openUpstream) => {
    client.once('data', (startUp) => {
      const message = startUp.toString('latin1');
      const ordinal = (seen.get(message) ?? 0) + 1;
      seen.set(message, ordinal);
      if (ordinal % 2 === 1) {
        lost.push(/application_name\0([^\0]*)/.exec(message)?.[1] ?? '');
        client.destroy();
        return;
      }
      const upstream = openUpstream();
      upstream.write(startUp);
      client.pipe(upstream).pipe(client);
    });
  });
  return { ...proxy, lost: () => lost };
}

describeWithPostgres('the start of up', () => {
  const home = new UpHome();

  /** Expects that `up` has loaded the whole sample fleet, and stops it. */
  async function assertCompleteStart({ lines, child, ended }: Up, url: string): Promise<void> {
    expect(lines.join('\n')).toContain('mp_');
    const owner = untilTestEnds(openPool(url));
    const head = await readHeadPosition(owner);
    expect(head).toBeGreaterThan(5_000);
    expect(await firstValue(owner, 'SELECT count(*) FROM stored_event')).toBe(head);
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  }

  it('waits for a PostgreSQL that hangs while the sample fleet is loaded', async () => {
    const database = untilTestEnds(await createTestDatabase());
    const proxy = untilTestEnds(await startProxyTo(database.url));
    let isFrozen = false;
    const up = await home.start(milepost(['up']), { DATABASE_URL: proxy.url }, (said) => {
      if (!isFrozen && said.includes('Loading a sample fleet')) {
        isFrozen = true;
        proxy.freeze();
      } else if (said.includes('Retrying.')) proxy.thaw();
    });
    expect(isFrozen).toBe(true);
    await assertCompleteStart(up, database.url);
  });

  it('reconnects in every step during which the connection to PostgreSQL is lost', async () => {
    const database = untilTestEnds(await createTestDatabase());
    const postgres = untilTestEnds(await startLosingPostgres(database.url));
    const up = await home.start(milepost(['up']), { DATABASE_URL: postgres.url });
    await assertCompleteStart(up, database.url);
    const lost = (applicationName: string) => postgres.lost().filter((name) => name === applicationName).length;
    // The lane's migration and the directory's migration each lose their first connection and succeed over a second
    // one.
    expect(lost('milepost-migrate')).toBe(2);
    // The steps are the first connection, the queue, the generations, the outdated tables, the sample fleet (four
    // times) and the welcome.
    expect(lost('milepost-cli')).toBeGreaterThanOrEqual(8);
  });
});
