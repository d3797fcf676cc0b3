import type { listSessions } from '@milepost/operations/sessions';
import { type Pool, ROLES } from '@milepost/postgres';
import type { PoolClient } from 'pg';
import type { Static } from 'typebox';
import { expect, it } from 'vitest';
import { run } from '../../support/command.ts';
import { perSuite } from '../../support/fixtures.ts';
import { lockWaiters } from '../../support/locks.ts';
import { createDatabaseWithLogins } from '../../support/logins.ts';
import { openPool } from '../../support/pipeline.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';

const LOCK = 'SELECT FROM log_head FOR UPDATE';

/** Takes the lock in a transaction. Returns the session's process id. */
async function lock(client: PoolClient): Promise<number> {
  await client.query('BEGIN');
  await client.query(LOCK);
  return (await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]?.pid ?? 0;
}

describeWithPostgres('the sessions of PostgreSQL, for the login of ops', () => {
  const database = perSuite(createDatabaseWithLogins);
  const owner = perSuite(async () => openPool(database.url));
  const ingest = perSuite(async () => openPool(database.urlOf('ingest'), ROLES.ingest));

  const list = async () => {
    const { stdout, stderr } = await run(['sessions', 'list', '--json'], { DATABASE_URL: database.urlOf('ops') });
    expect(stderr).toBe('');
    const answer: Static<typeof listSessions.answer> = JSON.parse(stdout);
    return answer;
  };
  const cancel = async (pid: number) =>
    await run(['sessions', 'cancel', String(pid)], { DATABASE_URL: database.urlOf('ops') });

  /** Runs `work` while a session of `ingest` is waiting for a lock held by a session of `pool`. */
  async function whileBlocked(pool: Pool, work: (blocker: number, waiter: number) => Promise<void>): Promise<void> {
    const [holder, waiting] = [await pool.connect(), await ingest.connect()];
    try {
      const blocker = await lock(holder);
      const outcome = waiting.query(LOCK).then(
        () => 'locked',
        (error: unknown) => String(error),
      );
      const [waiter = 0] = await lockWaiters(owner, 1);
      await work(blocker, waiter);
      await owner.query('SELECT pg_terminate_backend($1)', [blocker]);
      expect(await outcome).toMatch(/^locked$|canceling statement/);
    } finally {
      holder.release(true);
      waiting.release(true);
    }
  }

  it("show who is waiting for whom, with the state and statement of Milepost's logins", async () => {
    await whileBlocked(ingest, async (blocker, waiter) => {
      const { sessions, connections, max_connections } = await list();
      expect(connections).toBeLessThanOrEqual(max_connections);
      const login = expect.stringMatching(/_ingest_login$/);
      const idle = { pid: blocker, login, state: 'idle in transaction', waits_for: [] };
      const active = { pid: waiter, login, state: 'active', waits_for: [blocker], statement: LOCK };
      for (const each of [idle, active]) expect(sessions).toContainEqual(expect.objectContaining(each));
    });
  });

  it('can be made to end their running statement or, without one, the session', async () => {
    await whileBlocked(ingest, async (blocker, waiter) => {
      const cancelled = `The statement of session ${waiter} has been cancelled.\n`;
      expect(await cancel(waiter)).toMatchObject({ code: 0, stderr: cancelled });
      expect(await cancel(blocker)).toMatchObject({ code: 0, stderr: `Session ${blocker} has been closed.\n` });
      await expect.poll(() => cancel(blocker)).toMatchObject({ code: 1 });
      expect((await cancel(blocker)).stderr).toBe(
        `milepost: The database has no session ${blocker}. Try \`milepost sessions list\`.\n`,
      );
    });
  });

  it('name the login of a session that the login of ops is not allowed to end', async () => {
    await whileBlocked(owner, async (blocker) => {
      const { sessions } = await list();
      const { username } = new URL(database.url);
      const unknown = { pid: blocker, login: username, state: null, statement: null };
      expect(sessions).toContainEqual(expect.objectContaining(unknown));
      const reason = `belongs to the login ${username}, whose sessions Milepost is not allowed to end`;
      expect(await cancel(blocker)).toMatchObject({ code: 1, stderr: expect.stringContaining(reason) });
    });
  });
});
