import { writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { writeClient } from '../../../deploy/package/client.ts';
import { compile } from '../../support/compiler.ts';
import { execute } from '../../support/execute.ts';
import { openFolder, perSuite, untilTestEnds } from '../../support/fixtures.ts';
import { ROOT } from '../../support/milepost.ts';
import { startScriptedServer } from '../../support/scripted-server.ts';

/** A consumer's program that uses the types of responses and errors. */
const PROGRAM = `import { type Driver, MilepostClient, MilepostError } from '@milepost/client';

const milepost = new MilepostClient({ baseUrl: process.env['BASE_URL'] ?? '', key: 'mp_key' });
const drivers: Driver[] = [];
for await (const driver of milepost.drivers()) drivers.push(driver);
const alias: string | null | undefined = drivers[0]?.alias;
const failure = await milepost.trip('t').then(() => null, (error: unknown) => error instanceof MilepostError ? error.failure : null);
const faults = failure?.code === 'trip_not_found' ? failure.problem.errors : 'none';
console.log(JSON.stringify({ ids: drivers.map(({ driver_id }) => driver_id), alias, faults }));
`;

function page(ids: readonly string[], next_page: number | null): string {
  const drivers = ids.map((driver_id) => ({ driver_id, alias: null }));
  return JSON.stringify({ count: 3, current_page: 1, next_page, limit: 100, drivers });
}

const folder = perSuite(openFolder);

beforeAll(async () => {
  writeClient(ROOT, join(folder.path, 'node_modules/@milepost/client'));
  await writeFile(join(folder.path, 'package.json'), '{"type":"module"}');
  await writeFile(join(folder.path, 'program.ts'), PROGRAM);
});

/** Compiles the program against the package's declarations. Returns the compiler's messages. */
const compileFor = async (module: 'nodenext' | 'preserve') =>
  await compile(folder.path, {
    compilerOptions: {
      ...{ module, moduleResolution: module === 'preserve' ? 'bundler' : module },
      ...{ noEmit: false, skipLibCheck: false, rewriteRelativeImportExtensions: true },
      typeRoots: [join(ROOT, 'node_modules/@types')],
    },
    include: ['program.ts'],
  });

it("the client's declarations compile in a program for a bundler", async () => {
  expect(await compileFor('preserve')).toBe('');
});

it('the client compiles in a program for Node, and can send requests to a service without any other package', async () => {
  expect(await compileFor('nodenext')).toBe('');
  const send = (status: number, type: string, body: string) => (response: ServerResponse) =>
    void response.writeHead(status, { 'content-type': type }).end(body);
  const answers = [
    send(200, 'application/json', page(['one', 'two'], 2)),
    send(200, 'application/json', page(['three'], null)),
    send(404, 'application/problem+json', '{"code":"trip_not_found","detail":"There is no such trip.","errors":[]}'),
  ];
  const { origin, seen } = untilTestEnds(await startScriptedServer(answers));
  const { stdout } = await execute(process.execPath, [join(folder.path, 'program.js')], {
    env: { ...process.env, BASE_URL: origin },
  });
  expect(JSON.parse(stdout)).toEqual({ ids: ['one', 'two', 'three'], alias: null, faults: [] });
  expect(seen[0]?.headers).toMatchObject({ authorization: 'APIKEY mp_key', 'content-type': 'application/json' });
});
