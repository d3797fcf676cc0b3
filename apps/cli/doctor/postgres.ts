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
} from '@milepost/postgres';
import { messageOf } from '@milepost/service';
import type { Finding } from './check.ts';
import { checkClock } from './machine.ts';

const STATEMENT_TIMEOUT_MILLISECONDS = 10_000;

/** The roles that act on each part, with the processes that need them. */
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
    ? { check: name, result: 'passed', message: 'As Milepost needs it.' }
    : { check: name, result: 'failed', message: fault };
}

async function readClock(pool: Pool): Promise<Finding> {
  const before = Date.now();
  const [row] = await query(pool, READ_TIME);
  return checkClock(row?.milliseconds ?? 0, (before + Date.now()) / 2);
}

/** Checks one role on one part. A login of one process may not act in the roles of the others. */
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

/**
 * Connects to PostgreSQL, and checks the server, the pooler in front of it, its clock, and the session of each role.
 */
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
