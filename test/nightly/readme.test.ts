import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openFolder, perSuite } from '../support/fixtures.ts';
import { needs } from '../support/programs.ts';
import { checkOut, README, ROOT } from '../support/readme/check-out.ts';
import { shapeOf } from '../support/readme/shape.ts';
import { Shell } from '../support/readme/shell.ts';
import { readmeSteps } from '../support/readme/steps.ts';
import { freePorts } from '../support/services/free-port.ts';

const START = 'npm ci && npm start';
const TEST = 'npm ci && npm test';
const INSTALL_MILLISECONDS = 300_000;

const steps = readmeSteps(README);
// The order matters, because the documents start from the state that the README leaves behind.
const documents = ['commands.md', 'replays.md'].map((name) =>
  readmeSteps(readFileSync(join(ROOT, 'docs', name), 'utf8')),
);
const tour = [...steps, ...documents.flat()].filter(({ command }) => {
  return command !== START && command !== TEST && !command.startsWith('docker');
});

const folder = perSuite(openFolder);
let port: string;
let opsPort: string;
let shell: Shell;
let milepost: ChildProcessWithoutNullStreams;

beforeAll(async () => {
  checkOut(folder.path);
  [port = '', opsPort = ''] = (await freePorts(2)).map(String);
  const environment = { ...process.env, PORT: port, OPS_PORT: opsPort };
  milepost = spawn('bash', ['-c', `exec 2>&1; ${START.replace('&& npm', '&& exec npm')}`], {
    cwd: folder.path,
    env: environment,
    detached: true,
  });
  const said: string[] = [];
  for await (const line of createInterface(milepost.stdout)) {
    said.push(line);
    if (line.startsWith('Milepost is ready at')) break;
  }
  if (milepost.exitCode !== null) throw new Error(`\`${START}\` ended: ${said.join('\n')}`);
  milepost.stdout.resume();
  shell = new Shell(folder.path, environment);
}, INSTALL_MILLISECONDS);

afterAll(async () => {
  await shell?.end();
  if (milepost?.exitCode === null && milepost.pid !== undefined) {
    const ended = once(milepost, 'close');
    // The signal goes to the whole process group, as with Ctrl-C in a terminal.
    process.kill(-milepost.pid, 'SIGINT');
    await ended;
  }
});

describe('in a fresh checkout, the README and the documents that continue it', needs('git', 'curl'), () => {
  it('begin with the two commands of the setup', () => {
    expect(steps.map(({ command }) => command)).toEqual(expect.arrayContaining([START, TEST]));
    const ci = readFileSync(join(ROOT, '.ci/bare'), 'utf8');
    expect(ci).toMatch(/\bnpm ci\b/);
    expect(ci).toMatch(/\bnpm test\b/);
  });

  it.each(tour)('have a command that runs: $command', async ({ command, answer }) => {
    const here = command
      .replaceAll('127.0.0.1:3000', `127.0.0.1:${port}`)
      .replaceAll('127.0.0.1:3001', `127.0.0.1:${opsPort}`);
    const output = await shell.run(here);
    if (answer !== null) expect(shapeOf(JSON.parse(output))).toEqual(shapeOf(JSON.parse(answer)));
  });
});
