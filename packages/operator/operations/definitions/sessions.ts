import { columns, inTransaction, ROLES, SQLSTATES, sqlState, statement, type Transaction } from '@milepost/postgres';
import Type from 'typebox';
import { type OperationContext, operation } from '../language/operation.ts';
import { Refusal } from '../language/refusal.ts';
import { columnsOf, Decimal, Named, nullable, OneOf, Text, WholeNumber } from '../language/schemas.ts';

const MAX_PROCESS_ID = 2_147_483_647;
const STATEMENT_CHARACTERS = 200;

const Session = Named('Session', {
  pid: WholeNumber('The process id of the session in PostgreSQL.', 4711),
  login: nullable(Text('The login; null for a process of PostgreSQL itself.', 'milepost_api_login')),
  application: Text('The name that the program gave itself.', 'milepost-api'),
  state: nullable(
    Text(
      "The state in PostgreSQL, such as `active` or `idle in transaction`; null for logins that are not Milepost's.",
      'active',
    ),
  ),
  waits_for: Type.Array(Type.Integer(), {
    description: 'The process ids of the sessions whose locks this session is waiting for.',
    examples: [[4712]],
  }),
  seconds: nullable(
    Decimal("The age of the transaction; null outside a transaction and for logins that are not Milepost's.", 12.5),
  ),
  statement: nullable(
    Text(
      `The first ${STATEMENT_CHARACTERS} characters of its latest statement, without values; null for logins that are not Milepost's.`,
      'SELECT FROM drivers',
    ),
  ),
});

const COUNT_CONNECTIONS = statement('count-connections', columns('number', 'connections', 'max_connections'))`
  SELECT count(*) AS connections, current_setting('max_connections')::integer AS max_connections
  FROM pg_stat_activity WHERE usesysid IS NOT NULL`;

/** An idle session matters only if others are waiting for it. PostgreSQL hides the state of other logins' sessions. */
const LIST_SESSIONS = statement('list-sessions', columnsOf(Session))`
  WITH activity AS MATERIALIZED (
    SELECT pid, usename::text AS login, application_name AS application, state, xact_start, query,
      CASE WHEN state IS DISTINCT FROM 'idle' THEN pg_blocking_pids(pid) ELSE '{}' END AS waits_for
    FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid())
  SELECT pid, login, application, state, to_jsonb(waits_for) AS waits_for,
    round(extract(epoch FROM clock_timestamp() - xact_start)::numeric, 1) AS seconds,
    CASE WHEN state IS NOT NULL THEN left(regexp_replace(query, '\\s+', ' ', 'g'), ${STATEMENT_CHARACTERS}) END AS statement
  FROM activity
  WHERE state <> 'idle' OR waits_for <> '{}' OR pid IN (SELECT unnest(waits_for) FROM activity)
  ORDER BY xact_start, pid`;

const FIND_SESSION = statement('find-session', { login: 'text?', is_running: 'boolean' })`
  SELECT usename::text AS login, coalesce(state, 'active') NOT LIKE 'idle%' AS is_running FROM pg_stat_activity
  WHERE datname = current_database() AND pid = $1 AND pid <> pg_backend_pid()`;

const CANCEL_STATEMENT = statement('cancel-statement', { done: 'boolean' })`SELECT pg_cancel_backend($1) AS done`;
const END_SESSION = statement('end-session', { done: 'boolean' })`SELECT pg_terminate_backend($1) AS done`;

/** Acts as the login itself, because the roles that it can set do not have its privileges on other sessions. */
async function asLogin<Result>(
  { pool }: OperationContext,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  return await inTransaction(pool(ROLES.operator), async (transaction) => {
    await transaction.run('SET LOCAL ROLE NONE');
    return await work(transaction);
  });
}

export const listSessions = operation({
  name: 'sessions.list',
  path: '/sessions',
  summary: 'List PostgreSQL sessions',
  description:
    "The sessions of the database that are active, idle in a transaction, waiting for a lock, or holding a lock that others are waiting for. Sessions with the oldest transactions come first. PostgreSQL shows the state and the statement only for sessions of Milepost's logins.",
  input: Type.Object({}),
  answer: Type.Object({
    connections: WholeNumber('The number of connections to the server.', 31),
    max_connections: WholeNumber('The maximum number of connections to the server.', 100),
    sessions: Type.Array(Session, { description: 'The sessions.' }),
  }),
  async run(context) {
    return await asLogin(context, async (transaction) => {
      const counts = await transaction.row(COUNT_CONNECTIONS);
      return { answer: { ...counts, sessions: await transaction.rows(LIST_SESSIONS) } };
    });
  },
});

export const cancelSession = operation({
  name: 'sessions.cancel',
  path: '/sessions/:pid/cancel',
  summary: 'Cancel the statement of a session',
  description:
    'Cancels the running statement of a session, which releases its locks. A session without a running statement is closed instead. Milepost retries the work.',
  input: Type.Object({
    pid: Type.Integer({
      minimum: 1,
      maximum: MAX_PROCESS_ID,
      description: 'a whole number of at least 1: the process id of a session.',
    }),
  }),
  answer: Type.Object({
    pid: WholeNumber('The process id of the session.', 4711),
    ended: OneOf(['statement', 'session'], 'What was ended: the running statement, or the session.'),
  }),
  change: 'recorded',
  refusals: ['session_not_found', 'session_refused'],
  async run(context, { pid }) {
    const found = await asLogin(context, async (transaction) => (await transaction.rows(FIND_SESSION, [pid]))[0]);
    if (!found) throw new Refusal({ code: 'session_not_found', pid });
    const statement = found.is_running ? CANCEL_STATEMENT : END_SESSION;
    await asLogin(context, async (transaction) => await transaction.rows(statement, [pid])).catch((error: unknown) => {
      if (sqlState(error) !== SQLSTATES.insufficient_privilege) throw error;
      throw new Refusal({ code: 'session_refused', pid, login: found.login });
    });
    const ended: 'statement' | 'session' = found.is_running ? 'statement' : 'session';
    return { answer: { pid, ended }, detail: `Ended the ${ended} of ${found.login}.` };
  },
});

export const operations = [listSessions, cancelSession];
