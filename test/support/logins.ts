import { type Login, laneAt, loginUrl, ROLES, SQLSTATES, sqlState } from '@milepost/postgres';
import { derivedPasswords } from '@milepost/postgres/logins';
import { migrate } from '@milepost/postgres/migrations';
import { expect, inject } from 'vitest';
import { createTestDatabase } from './database.ts';
import { openPartPool } from './pipeline.ts';
import { administer } from './template.ts';

const REFUSED = SQLSTATES.insufficient_privilege;

/** Creates a test database with its logins, as `milepost migrate` does. They are dropped with the database. */
export async function createDatabaseWithLogins() {
  const database = await createTestDatabase();
  const urlOf = (login: Login) => loginUrl(database.url, login);
  await migrate(laneAt(database.url), derivedPasswords(database.url));
  const drop = async () => {
    await database.drop();
    const names = (['api', 'ingest', 'projector', 'ops'] as const).map((login) => new URL(urlOf(login)).username);
    await administer(inject('postgresUrl') ?? '', [`DROP ROLE IF EXISTS ${names.join(', ')}`]);
  };
  return { url: database.url, urlOf, drop };
}

/** Expects that a login can act as its own roles, but that no statement lets it act as any other role. */
export async function assertOwnRolesAlone(url: string, own: readonly string[]): Promise<void> {
  const roles = Object.values(ROLES);
  const role = roles.find((each) => each === own[0]);
  const login = new URL(url).username;
  const lane = laneAt(url);
  const pool = openPartPool(lane, role, 1);
  // All statements run in one session, so each sees the effects of the earlier ones.
  const client = await pool.connect();
  const refusal = async (sql: string) => await client.query(sql).then(() => null, sqlState);
  try {
    const { rows } = await client.query<{ rolname: string }>(
      'SELECT rolname FROM pg_roles WHERE rolname <> session_user',
    );
    for (const { rolname } of rows) {
      const what = `${login} as ${rolname}`;
      expect(await refusal(`SET ROLE "${rolname}"`), what).toBe(own.includes(rolname) ? null : REFUSED);
      expect(await refusal(`SET SESSION AUTHORIZATION "${rolname}"`), what).toBe(REFUSED);
    }
    // The first two statements reset the session to its original role, the last one to the login, which has no rights.
    for (const [statement, user] of [
      ['RESET ROLE', own[0]],
      ['RESET SESSION AUTHORIZATION', own[0]],
      ['SET ROLE NONE', login],
    ]) {
      await client.query(statement ?? '');
      expect((await client.query('SELECT current_user AS name')).rows, `${login} after ${statement}`).toEqual([
        { name: user },
      ]);
      const reads = await refusal(`SELECT FROM ${lane.schema}.stored_event LIMIT 1`);
      expect(reads, `${login} after ${statement}`).toBe(user === login || user === ROLES.api ? REFUSED : null);
    }
    expect(await refusal(`SELECT FROM ${lane.schema}.trips LIMIT 1`), login).toBe(REFUSED);
  } finally {
    client.release(true);
    await pool.end();
  }
}
