import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPool, laneAt } from '@milepost/postgres';
import { LanePools } from '@milepost/postgres/lanes';
import { RolePools } from '@milepost/postgres/lanes/role-pools';
import { createLogger } from '@milepost/service';
import type { FastifyInstance } from 'fastify';
import openapiTypescript, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { buildApi } from '../api/build.ts';
import { buildOps } from '../ops/build.ts';

const URL = 'postgres://127.0.0.1/not-connected';
/** The servers only generate their documents here, so they need no database. A pool connects at its first query. */
const pool = createPool({
  part: laneAt(URL),
  applicationName: 'milepost-types',
  connections: 2,
  statementTimeoutMilliseconds: 1_000,
});
const logger = createLogger('api', 'silent');

/** A server's OpenAPI document without the header parameters, because the clients set the headers themselves. */
async function documentOf(server: FastifyInstance): Promise<OpenAPI3> {
  const document: OpenAPI3 = (await server.inject('/openapi.json')).json();
  return JSON.parse(JSON.stringify(document), (name, value) =>
    name === 'parameters' && Array.isArray(value) ? value.filter((parameter) => parameter.in !== 'header') : value,
  );
}

async function writeTypes(folder: string, server: FastifyInstance): Promise<void> {
  const types = astToString(await openapiTypescript(await documentOf(server)));
  writeFileSync(join(import.meta.dirname, '..', '..', folder, 'openapi.d.ts'), types);
  await server.close();
}

const lanes = new LanePools(pool, () => pool);
const api = { lanes, directory: pool, logger, now: Date.now, rateLimitPerMinute: 1, requireContentType: true };
const ops = {
  pools: new RolePools(pool, () => pool),
  directory: pool,
  logger,
  token: undefined,
  maximumLagSeconds: 1,
  announce: () => {},
  askEndOffsets: null,
};
await writeTypes('packages/client', await buildApi(api));
await writeTypes('apps/console/operate', await buildOps(ops));
await pool.end();
