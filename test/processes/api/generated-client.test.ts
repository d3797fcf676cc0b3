import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { compile } from '../../support/compiler.ts';
import { execute } from '../../support/execute.ts';
import { perSuite } from '../../support/fixtures.ts';
import { ROOT } from '../../support/milepost.ts';
import { tripProcessed } from '../../support/records.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';
import { createWorld } from '../../support/world.ts';

/** A client program that uses the generated types, and sends only the headers that they require. */
const PROGRAM = `import createClient from 'openapi-fetch';
import type { components, paths } from './milepost.ts';

const { BASE_URL: baseUrl = '', API_KEY: key = '' } = process.env;
const client = createClient<paths>({ baseUrl, headers: { Authorization: \`APIKEY \${key}\` } });
const header = { 'Content-Type': 'application/json' } as const;

const drivers = await client.GET('/api/v1/drivers', { params: { header, query: { limit: 5 } } });
const driver: components['schemas']['Driver'] | undefined = drivers.data?.drivers[0];
const days = await client.GET('/api/v1/driver-aggregate/daily', {
  params: { header, query: { start_date: '2025-01-15', driver_id: [driver?.driver_id ?? '', 'nobody'] } },
});
const problem: components['schemas']['Problem'] | undefined = days.error;
const name: string | null | undefined = driver?.first_name;
console.log(JSON.stringify({ status: drivers.response.status, name, code: problem?.code, errors: problem?.errors?.length }));
`;

const SETTINGS = {
  // Node does not run TypeScript files under node_modules.
  compilerOptions: { noPropertyAccessFromIndexSignature: false, noEmit: false, rewriteRelativeImportExtensions: true },
  include: ['*.ts'],
  // The project excludes node_modules, but this program is inside it.
  exclude: [],
};

describeWithPostgres('a client generated from /openapi.json', () => {
  const world = perSuite(createWorld);
  let folder: string;
  let origin: string;

  beforeAll(async () => {
    await world.take([tripProcessed({ driver_id: 'driver-1' })]);
    origin = await world.api.listen({ host: '127.0.0.1', port: 0 });
    // The folder is inside the project, so that the client finds its library.
    const cache = join(ROOT, 'node_modules/.cache');
    await mkdir(cache, { recursive: true });
    folder = await mkdtemp(join(cache, 'generated-client-'));
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  });
  afterAll(async () => await rm(folder, { recursive: true }));

  const compiled = async (program: string) => {
    await writeFile(join(folder, 'program.ts'), program);
    return await compile(folder, SETTINGS);
  };

  it('has types that compile, and its first call succeeds', async () => {
    const generator = join(ROOT, 'apps/api/node_modules/.bin/openapi-typescript');
    await execute(generator, [`${origin}/openapi.json`, '--output', join(folder, 'milepost.ts')]);
    expect(await compiled(PROGRAM)).toBe('');
    const key = await world.createKey('acme');
    const { stdout } = await execute(process.execPath, [join(folder, 'program.js')], {
      env: { ...process.env, BASE_URL: origin, API_KEY: key },
    });
    expect(JSON.parse(stdout)).toEqual({ status: 200, name: null, code: 'driver_not_found', errors: 1 });
  });

  it('does not compile without the header that every request needs', async () => {
    expect(await compiled(PROGRAM.replace('params: { header, query: { limit: 5 } }', 'params: {}'))).toContain(
      "Property 'header' is missing",
    );
  });
});
