import {
  checkPoolMode,
  checkServer,
  checkSession,
  createPool,
  directoryAt,
  INSUFFICIENT_PRIVILEGE,
  laneAt,
  number,
  type Part,
  type Pool,
  query,
  ROLES,
  type Role,
  type ServerCheck,
  sqlState,
  statement,
  text,
} from '@milepost/postgres';
import { messageOf } from '@milepost/service';
import type { Finding } from './check.ts';
import { checkClock } from './machine.ts';

const STATEMENT_TIMEOUT_MILLISECONDS = 10_000;

/** The roles that act on each part of the database, with the processes that need them. */
const SESSIONS: readonly { role: Role; kinds: readonly Part['kind'][]; processes: string }[] = [
  { role: ROLES.api, kinds: ['lane', 'directory'], processes: 'api' },
  { role: ROLES.ingest, kinds: ['lane'], processes: 'ingest' },
  { role: ROLES.projector, kinds: ['lane'], processes: 'projector' },
  { role: ROLES.operator, kinds: ['lane', 'directory'], processes: 'ops' },
  { role: ROLES.eraser, kinds: ['lane'], processes: 'ops' },
];

const READ_TIME = statement('server-time', { milliseconds: number })`
  SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS milliseconds`;

function open(part: Part, role?: Role): Pool {
  return createPool({
    part,
    ...(role ? { role } : {}),
    applicationName: 'milepost-doctor',
    connections: 2,
    statementTimeoutMilliseconds: STATEMENT_TIMEOUT_MILLISECONDS,
  });
}

function findingOf({ check, fault }: ServerCheck, where: string): Finding {
  const name = `${check.replaceAll('_', ' ')}${where}`;
  return fault === null
    ? { check: name, result: 'passed', message: 'Configured as Milepost requires.' }
    : { check: name, result: 'failed', message: fault };
}

async function readClock(pool: Pool): Promise<Finding> {
  const before = Date.now();
  const [row] = await query(pool, READ_TIME);
  return checkClock(row?.milliseconds ?? 0, (before + Date.now()) / 2);
}

/** Checks one role on one part. One process's login may not act in the roles of the others. */
async function checkRole(part: Part, role: Role, processes: string): Promise<Finding[]> {
  const pool = open(part, role);
  const where = ` (${processes}, ${part.kind})`;
  try {
    const failed = (await checkSession(pool, { part, role })).filter(({ fault }) => fault !== null);
    if (failed.length > 0) return failed.map((each) => findingOf(each, where));
    return [
      {
        check: `session${where}`,
        result: 'passed',
        message: `The schema, the role and the privileges of ${role} are correct.`,
      },
    ];
  } catch (error) {
    return [
      sqlState(error) === INSUFFICIENT_PRIVILEGE
        ? {
            check: `session${where}`,
            result: 'skipped',
            message: `This login may not act in ${role}: repeat the check with the DATABASE_URL of ${processes}.`,
          }
        : { check: `session${where}`, result: 'failed', message: `${role} cannot connect: ${messageOf(error)}.` },
    ];
  } finally {
    await pool.end();
  }
}

/** Connects to PostgreSQL, and checks the server, the pooler in front of it, its clock, and a session in each role. */
export async function checkPostgres(url: string): Promise<Finding[]> {
  const pool = open(laneAt(url));
  const findings: Finding[] = [];
  try {
    const server = await checkServer(pool);
    const mode = await checkPoolMode(pool, { part: laneAt(url), role: null });
    findings.push(...[...server, mode].map((each) => findingOf(each, '')), await readClock(pool));
    if (server.some(({ fault }) => fault !== null)) return findings;
  } catch (error) {
    const message = `PostgreSQL cannot be used: ${messageOf(error)}. Check DATABASE_URL.`;
    return [{ check: 'connection', result: 'failed', message }];
  } finally {
    await pool.end();
  }
  for (const { role, kinds, processes } of SESSIONS) {
    for (const kind of kinds) {
      const part = kind === 'lane' ? laneAt(url) : directoryAt(url);
      findings.push(...(await checkRole(part, role, processes)));
    }
  }
  return findings;
}

/** The API does not read from a standby whose delay exceeds this. */
const MAX_DELAY_MILLISECONDS = 5_000;

/** `replay_delay` is the maximum time for which a reader can delay the standby's replay; -1 means no maximum. */
const READ_SYSTEM = statement('read-system', { system: text, replay_delay: text, replay_delay_milliseconds: number })`
  SELECT system_identifier::text AS system, current_setting('max_standby_streaming_delay') AS replay_delay,
    (SELECT setting::integer FROM pg_settings WHERE name = 'max_standby_streaming_delay') AS replay_delay_milliseconds
  FROM pg_control_system()`;

/** Checks that the API can read from the standby of a primary. */
export async function checkStandby(url: string, primaryUrl: string): Promise<Finding[]> {
  const [primary, standby] = [open(laneAt(primaryUrl)), open(laneAt(url))];
  const findings: Finding[] = [];
  try {
    const [[of], [is]] = await Promise.all([query(primary, READ_SYSTEM), query(standby, READ_SYSTEM)]);
    const isStandby = of?.system === is?.system;
    findings.push({
      check: 'connection',
      result: isStandby ? 'passed' : 'failed',
      message: isStandby
        ? 'The server is a standby of the server in DATABASE_URL.'
        : 'The server is a standby of a different server from the one in DATABASE_URL: correct DATABASE_URL_READ.',
    });
    const { replay_delay = '', replay_delay_milliseconds = 0 } = is ?? {};
    const isShort = replay_delay_milliseconds >= 0 && replay_delay_milliseconds < MAX_DELAY_MILLISECONDS;
    findings.push({
      check: 'replay delay',
      result: isShort ? 'passed' : 'warning',
      message: isShort
        ? `max_standby_streaming_delay is ${replay_delay}.`
        : `max_standby_streaming_delay is ${replay_delay}, so a long query on the standby can delay its replay until the API reads from the primary: set it to 1s on the standby.`,
    });
  } catch (error) {
    const message = `The standby cannot be used: ${messageOf(error)}. Check DATABASE_URL_READ.`;
    return [{ check: 'connection', result: 'failed', message }];
  } finally {
    await Promise.all([primary.end(), standby.end()]);
  }
  return [...findings, ...(await checkRole(laneAt(url), ROLES.api, 'api'))];
}
