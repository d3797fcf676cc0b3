import { listOperations } from '@milepost/operations/recorded-operations';
import { type Pool, ROLES, type Role } from '@milepost/postgres';
import { FIRST_LANE, type Lane } from '@milepost/postgres/lanes';
import { RolePools } from '@milepost/postgres/lanes/role-pools';
import { createLogger } from '@milepost/service';
import type { FastifyInstance, InjectOptions } from 'fastify';
import type { Static } from 'typebox';
import { buildOps } from '../../apps/ops/build.ts';
import { PROBLEMS, type ProblemCode } from '../../apps/ops/problems.ts';
import { contentOf, problemsOf } from './answers.ts';
import { perSuite, perTest } from './fixtures.ts';
import { openPipeline } from './pipeline.ts';
import { describeWithPostgres } from './service-suites.ts';

/** Both pools are on the first lane, and `pool` uses the operator's role. */
type OpsOptions = Parameters<typeof buildOps>[0] & { pool: Pool; eraserPool: Pool };

export const TOKEN = 'correct-horse-battery-staple';

export interface OpsRequest {
  method?: 'GET' | 'POST' | 'DELETE' | 'PUT' | 'PATCH';
  /** Null means that the request has no Authorization header. */
  token?: string | null;
  headers?: Record<string, string>;
  /** An object is sent as JSON; a string is sent unchanged. */
  body?: object | string;
}

/** A database, and the operators' API, which uses it in the operator's role. */
export type OpsWorld = Awaited<ReturnType<typeof openOps>>;

export function requestOf(url: string, { method = 'GET', token = TOKEN, headers = {}, body }: OpsRequest = {}) {
  const request: InjectOptions = {
    method,
    url,
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { payload: body }),
  };
  return request;
}

export async function openOps(options: Partial<OpsOptions> = {}) {
  const pipeline = await openPipeline();
  const { operator: pool } = pipeline;
  const directory = pipeline.openDirectory(ROLES.operator, 2);
  const build = async (own: Partial<OpsOptions>): Promise<FastifyInstance> => {
    const ofFirst = new Map<Role, Pool>([
      [ROLES.operator, own.pool ?? pool],
      [ROLES.ingest, pipeline.ingest],
      [ROLES.eraser, own.eraserPool ?? pipeline.eraser],
    ]);
    const openLane = (lane: Lane, role: Role) =>
      (lane.number === FIRST_LANE ? ofFirst.get(role) : undefined) ?? pipeline.open(lane, role);
    const ops = await buildOps({
      pools: new RolePools(directory, openLane),
      directory,
      announce: () => {},
      logger: createLogger('ops', 'silent'),
      token: TOKEN,
      askEndOffsets: null,
      maximumLagSeconds: 60,
      ...own,
    });
    return pipeline.keep(ops);
  };
  const ops = await build(options);
  return {
    pipeline,
    /** A pool that uses the operator's role. */
    pool,
    ops,
    /** Builds another instance, by default on the same database. */
    build,
    ask: async (path: string, request?: OpsRequest) => await ops.inject(requestOf(path, request)),
    post: async (path: string, body?: object, headers: Record<string, string> = {}) =>
      await ops.inject(requestOf(path, { method: 'POST', headers, ...(body ? { body } : {}) })),
    close: async () => await pipeline.close(),
  };
}

/** Declares a suite with one database and operators' API for all tests. It is skipped without PostgreSQL. */
export function describeWithOps(title: string, body: (world: OpsWorld) => void): void {
  describeWithPostgres(title, () => body(perSuite(openOps)));
}

/** Declares a suite like `describeWithOps`, but with a new database and API for each test. */
export function describeWithOwnOps(title: string, body: (world: OpsWorld) => void): void {
  describeWithPostgres(title, () => body(perTest(openOps)));
}

/** Expects an error response whose body is a problem with this status and code, and returns the body. */
export const opsProblem = problemsOf<ProblemCode>(PROBLEMS);

/** Requests the audit trail from the API. Returns its entries, newest first. */
export async function auditTrail(world: OpsWorld): Promise<Static<typeof listOperations.answer>['operations']> {
  return contentOf(await world.ask('/operations'), listOperations.answer).operations;
}

/**
 * Requests `/readyz`, and returns the status and the body. On a busy machine, a check may exceed its time limit; it is
 * then repeated up to nine times.
 */
export async function readinessOf(ops: FastifyInstance): Promise<[status: number, body: Record<string, unknown>]> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await ops.inject('/readyz');
    const body = answer.json();
    if (body.reason !== 'database_unavailable' || attempt === 10) return [answer.statusCode, body];
  }
}
