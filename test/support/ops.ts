import { listOperations } from '@milepost/operations/audit-trail';
import { type Pool, ROLES } from '@milepost/postgres';
import { createLogger } from '@milepost/service';
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import type { Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { expect } from 'vitest';
import { buildOps } from '../../apps/ops/build.ts';
import { PROBLEMS, type ProblemCode } from '../../apps/ops/problems.ts';
import { openEnqueuer } from '../../apps/ops/queue/index.ts';
import { problemSchema } from '../../packages/http/schema.ts';
import { contentOf } from './answers.ts';
import { openPipeline, openPool, type Pipeline } from './pipeline.ts';

type OpsOptions = Parameters<typeof buildOps>[0];

/** What any request to any path may be answered with, before its route is found. */
const ON_EVERY_PATH = ['408', '417', '431'];

export const TOKEN = 'correct-horse-battery-staple';

const ProblemDetails = problemSchema(PROBLEMS);

export interface OpsRequest {
  method?: 'GET' | 'POST' | 'DELETE' | 'PUT' | 'PATCH';
  /** null: without the header Authorization. */
  token?: string | null;
  headers?: Record<string, string>;
  /** Sent as JSON; a text as it is. */
  body?: object | string;
}

/** A database of its own with the operators' API on it, in the operator's role. */
export interface OpsWorld {
  pipeline: Pipeline;
  /** In the operator's role. */
  pool: Pool;
  ops: FastifyInstance;
  ask: (path: string, request?: OpsRequest) => Promise<LightMyRequestResponse>;
  /** Another instance, by default on the same database. */
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
  const jobs = openEnqueuer({ databaseUrl: pipeline.url, redisUrl: undefined });
  const built: FastifyInstance[] = [];
  const build = async (own: Partial<OpsOptions>): Promise<FastifyInstance> => {
    const logger = createLogger('ops', 'silent');
    const pools = { pool, ingestPool: pipeline.ingest, eraserPool };
    const { enqueue } = jobs;
    const ops = await buildOps({
      ...pools,
      enqueue,
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
      await jobs.close();
      await Promise.all([pool.end(), eraserPool.end()]);
      await pipeline.close();
    },
  };
}

/** The body of an error answer, which must be a problem of this kind. */
export function opsProblem(
  answer: LightMyRequestResponse,
  status: number,
  code: ProblemCode,
): Static<typeof ProblemDetails> {
  expect(answer.statusCode, answer.body).toBe(status);
  expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8');
  const problem: unknown = answer.json();
  const validator = Compile(ProblemDetails);
  if (!validator.Check(problem)) throw new Error(`The body is no problem: ${answer.body}`);
  expect(problem).toMatchObject({ status, code, type: `/docs/errors/${code}` });
  return problem;
}

/** The audit trail as the API tells it, newest first. */
export async function auditTrail(world: OpsWorld): Promise<Static<typeof listOperations.answer>['operations']> {
  return contentOf(await world.ask('/operations'), listOperations.answer).operations;
}

/** The statuses that the OpenAPI document declares for an operation, beside those of every path; it must have a tag, a summary and a description. */
export async function declaredStatuses(world: OpsWorld, method: string, path: string): Promise<string[]> {
  const { paths } = (await world.ask('/openapi.json')).json();
  const operation = paths[path]?.[method];
  expect(operation, `${method} ${path}`).toMatchObject({
    tags: [expect.any(String)],
    summary: expect.any(String),
    description: expect.any(String),
  });
  const declared = Object.keys(operation.responses).sort();
  expect(declared, `${method} ${path}`).toEqual(expect.arrayContaining(ON_EVERY_PATH));
  return declared.filter((status) => !ON_EVERY_PATH.includes(status));
}
