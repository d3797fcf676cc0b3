import {
  checkPoolMode,
  checkServer,
  checkSession,
  directoryAt,
  laneAt,
  type Part,
  type Pool,
  queryRow,
  ROLES,
  type Role,
  type ServerCheck,
  SQLSTATES,
  sqlState,
  statement,
} from '@milepost/postgres';
import { causeOf } from '@milepost/service';
import { openPool } from '../database.ts';
import { type Finding, judge } from './check.ts';
import { checkClock } from './machine.ts';

const STATEMENT_TIMEOUT_MILLISECONDS = 10_000;

/** The roles used in each part of the database, and the process that needs them. */
const SESSIONS = [
  [laneAt, ROLES.api, 'api'],
  [directoryAt, ROLES.api, 'api'],
  [laneAt, ROLES.ingest, 'ingest'],
  [laneAt, ROLES.projector, 'projector'],
  [laneAt, ROLES.operator, 'ops'],
  [directoryAt, ROLES.operator, 'ops'],
  [laneAt, ROLES.eraser, 'ops'],
] as const;

const READ_TIME = statement('server-time', { milliseconds: 'number' })`
  SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS milliseconds`;

const open = (part: Part, role?: Role) => openPool(part, role, STATEMENT_TIMEOUT_MILLISECONDS);

function findingOf({ check, fault }: ServerCheck, where: string): Finding {
  const name = `${check.replaceAll('_', ' ')}${where}`;
  return judge(name, fault === null, 'Configured as Milepost requires.', fault ?? '');
}

async function readClock(pool: Pool): Promise<Finding> {
  const before = Date.now();
  const { milliseconds } = await queryRow(pool, READ_TIME);
  return checkClock(milliseconds, (before + Date.now()) / 2);
}

/** Opens a session as a role on a part of the database and checks it. A process's login cannot use other roles. */
async function checkRole(part: Part, role: Role, processName: string): Promise<Finding[]> {
  const pool = open(part, role);
  const where = ` (${processName}, ${part.kind})`;
  try {
    const failed = (await checkSession(pool)).filter(({ fault }) => fault !== null);
    if (failed.length > 0) return failed.map((each) => findingOf(each, where));
    const message = `The schema, the role and the privileges of ${role} are correct.`;
    return [{ check: `session${where}`, result: 'passed', message }];
  } catch (error) {
    const isRefused = sqlState(error) === SQLSTATES.insufficient_privilege;
    const message = isRefused
      ? `This login is not allowed to act as ${role}: repeat the check with the DATABASE_URL of ${processName}.`
      : `${role} cannot connect: ${causeOf(error)}.`;
    return [{ check: `session${where}`, result: isRefused ? 'skipped' : 'failed', message }];
  } finally {
    await pool.end();
  }
}

/** Connects to PostgreSQL and checks the server, its clock, the pooler in front of it, and a session in each role. */
export async function checkPostgres(url: string): Promise<Finding[]> {
  const pool = open(laneAt(url));
  const findings: Finding[] = [];
  try {
    const server = await checkServer(pool);
    const mode = await checkPoolMode(pool);
    findings.push(...[...server, mode].map((each) => findingOf(each, '')), await readClock(pool));
    if (server.some(({ fault }) => fault !== null)) return findings;
  } catch (error) {
    const message = `PostgreSQL cannot be used: ${causeOf(error)}. Check DATABASE_URL.`;
    return [{ check: 'connection', result: 'failed', message }];
  } finally {
    await pool.end();
  }
  for (const [partAt, role, name] of SESSIONS) findings.push(...(await checkRole(partAt(url), role, name)));
  return findings;
}

/** The API does not read from a standby whose delay exceeds this maximum. */
const MAX_DELAY_MILLISECONDS = 5_000;

/** `replay_delay` is the longest time for which a query can delay the standby's replay; -1 means no limit. */
const READ_SYSTEM = statement('read-system', {
  system: 'text',
  replay_delay: 'text',
  replay_delay_milliseconds: 'number',
})`
  SELECT system_identifier::text AS system, current_setting('max_standby_streaming_delay') AS replay_delay,
    (SELECT setting::integer FROM pg_settings WHERE name = 'max_standby_streaming_delay') AS replay_delay_milliseconds
  FROM pg_control_system()`;

/** Checks that the API can read from a primary's standby. */
export async function checkStandby(url: string, primaryUrl: string): Promise<Finding[]> {
  const [primary, standby] = [open(laneAt(primaryUrl)), open(laneAt(url))];
  const findings: Finding[] = [];
  try {
    const [of, is] = await Promise.all([queryRow(primary, READ_SYSTEM), queryRow(standby, READ_SYSTEM)]);
    const { replay_delay, replay_delay_milliseconds } = is;
    findings.push(
      judge(
        'connection',
        of.system === is.system,
        'The server is a standby of the server in DATABASE_URL.',
        'The server is a standby of a different server from the one in DATABASE_URL: correct DATABASE_URL_READ.',
      ),
      judge(
        'replay delay',
        replay_delay_milliseconds >= 0 && replay_delay_milliseconds < MAX_DELAY_MILLISECONDS,
        `max_standby_streaming_delay is ${replay_delay}.`,
        `max_standby_streaming_delay is ${replay_delay}, so a long query on the standby can delay its replay so much that the API reads from the primary: set it to 1s on the standby.`,
        'warning',
      ),
    );
  } catch (error) {
    const message = `The standby cannot be used: ${causeOf(error)}. Check DATABASE_URL_READ.`;
    return [{ check: 'connection', result: 'failed', message }];
  } finally {
    await Promise.all([primary.end(), standby.end()]);
  }
  return [...findings, ...(await checkRole(laneAt(url), ROLES.api, 'api'))];
}
