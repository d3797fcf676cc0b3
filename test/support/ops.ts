import { listOperations } from '@milepost/operations/recorded-operations';
import { type Pool, ROLES, type Role } from '@milepost/postgres';
import { FIRST_LANE, type Lane, RolePools } from '@milepost/postgres/lanes';
import { createLogger } from '@milepost/service';
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import type { Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { expect } from 'vitest';
import { buildOps } from '../../apps/ops/build.ts';
import { PROBLEMS, type ProblemCode } from '../../apps/ops/problems.ts';
import { problemSchema } from '../../packages/platform/http/schema.ts';
import { contentOf } from './answers.ts';
import { openDirectory, openPartPool, openPipeline, openPool, type Pipeline } from './pipeline.ts';

/** Both pools are on the first lane, and `pool` uses the operator's role. */
type OpsOptions = Parameters<typeof buildOps>[0] & { pool: Pool; eraserPool: Pool };

export const TOKEN = 'correct-horse-battery-staple';

const ProblemDetails = problemSchema(PROBLEMS);

export interface OpsRequest {
  method?: 'GET' | 'POST' | 'DELETE' | 'PUT' | 'PATCH';
  /** Null means that the request has no Authorization header. */
  token?: string | null;
  headers?: Record<string, string>;
  /** An object is sent as JSON; a string is sent unchanged. */
  body?: object | string;
}

/** A database, and the operators' API, which uses it in the operator's role. */
export interface OpsWorld {
  pipeline: Pipeline;
  /** A pool that uses the operator's role. */
  pool: Pool;
  ops: FastifyInstance;
  ask: (path: string, request?: OpsRequest) => Promise<LightMyRequestResponse>;
  /** Builds another instance, by default on the same database. */
  build: (options: Partial<OpsOptions>) => Promise<FastifyInstance>;
  close: () => Promise<void>;
}

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

export async function openOps(options: Partial<OpsOptions> = {}): Promise<OpsWorld> {
  const pipeline = await openPipeline();
  const pool = openPool(pipeline.url, ROLES.operator);
  const eraserPool = openPool(pipeline.url, ROLES.eraser);
  const directory = openDirectory(pipeline.url, ROLES.operator);
  const built: FastifyInstance[] = [];
  const others: Pool[] = [];
  const build = async (own: Partial<OpsOptions>): Promise<FastifyInstance> => {
    const logger = createLogger('ops', 'silent');
    const ofFirst = new Map<Role, Pool>([
      [ROLES.operator, own.pool ?? pool],
      [ROLES.ingest, pipeline.ingest],
      [ROLES.eraser, own.eraserPool ?? eraserPool],
    ]);
    const openLane = (lane: Lane, role: Role) => {
      const found = lane.number === FIRST_LANE ? ofFirst.get(role) : undefined;
      if (found) return found;
      const opened = openPartPool(lane, role);
      others.push(opened);
      return opened;
    };
    const ops = await buildOps({
      pools: new RolePools(directory, pipeline.url, openLane),
      directory,
      announce: () => {},
      logger,
      token: TOKEN,
      askEndOffsets: null,
      maximumLagSeconds: 60,
      ...own,
    });
    built.push(ops);
    return ops;
  };
  const ops = await build(options);
  return {
    pipeline,
    pool,
    ops,
    build,
    ask: async (path, request) => await ops.inject(requestOf(path, request)),
    close: async () => {
      for (const each of built) await each.close();
      await Promise.all([pool, eraserPool, directory, ...others].map((each) => each.end()));
      await pipeline.close();
    },
  };
}

/** Expects an error response whose body is a problem with this status and code, and returns the body. */
export function opsProblem(
  answer: LightMyRequestResponse,
  status: number,
  code: ProblemCode,
): Static<typeof ProblemDetails> {
  expect(answer.statusCode, answer.body).toBe(status);
  expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8');
  const problem: unknown = answer.json();
  const validator = Compile(ProblemDetails);
  if (!validator.Check(problem)) throw new Error(`The body is not a problem: ${answer.body}`);
  expect(problem).toMatchObject({ status, code, type: `/docs/errors/${code}` });
  return problem;
}

/** Requests the audit trail from the API. Returns its entries, newest first. */
export async function auditTrail(world: OpsWorld): Promise<Static<typeof listOperations.answer>['operations']> {
  return contentOf(await world.ask('/operations'), listOperations.answer).operations;
}
