import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DriverPage } from '../../../apps/api/routes/index.ts';
import { contentOf } from '../../support/answers.ts';
import { send } from '../../support/http.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';
import { createWorld, type World } from '../../support/world.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const PROGRAM = `
  import { runApi } from '@milepost/api';
  import { stopSignal } from '@milepost/service';
  await runApi(stopSignal()).catch((error) => { process.stdout.write(error.message); process.exitCode = 1; });
`;

describeWithPostgres('the API process', () => {
  let world: World;

  beforeAll(async () => {
    world = await createWorld();
  });
  afterAll(async () => await world?.close());

  function start(settings: Record<string, string>) {
    return spawn(process.execPath, ['--input-type=module', '--eval', PROGRAM], { cwd: ROOT, env: settings });
  }

  it('serves at the address it logs, as its settings say, and ends with 0 on SIGTERM', async () => {
    const child = start({
      DATABASE_URL: world.url,
      PORT: '0',
      RATE_LIMIT_PER_MINUTE: '7',
      REQUIRE_CONTENT_TYPE: 'false',
    });
    let origin = '';
    for await (const line of createInterface(child.stderr)) {
      origin = JSON.parse(line).address ?? '';
      if (origin !== '') break;
    }
    const answer = await send(origin, {
      path: '/api/v1/drivers',
      headers: { authorization: `APIKEY ${await world.createKey('acme')}` },
    });
    contentOf(answer, DriverPage);
    expect(answer.headers['ratelimit-limit']).toBe('7');
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it.each([
    [{ PORT: 'x' }, /^PORT must be a whole number from 0 to 65535/],
    [
      { MILEPOST_HOME: '/nonexistent' },
      /^No Milepost runs under \/nonexistent: start one with `npm start`, or set DATABASE_URL\.$/,
    ],
  ])('ends with one clear sentence when %j is wrong', async (settings, sentence) => {
    const child = start(settings);
    const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    expect(output).toMatch(sentence);
    expect(code).toBe(1);
  });
});
