import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import '../support/provided.ts';
import { shapeOf } from '../support/readme/shape.ts';
import { Shell } from '../support/readme/shell.ts';
import { readmeSteps } from '../support/readme/steps.ts';
import { freePorts } from '../support/services/free-port.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const START = 'npm ci && npm start';
const TEST = 'npm ci && npm test';
const INSTALL_MILLISECONDS = 300_000;

const steps = readmeSteps(readFileSync(join(ROOT, 'README.md'), 'utf8'));
const tour = steps.filter(({ command }) => command !== START && command !== TEST && !command.startsWith('docker'));
const containers = steps.filter(({ command }) => command.startsWith('docker'));

let folder: string;
let port: string;
let opsPort: string;
let shell: Shell;
let milepost: ChildProcessWithoutNullStreams;

/** What a new user has: the files of the repository as they are now, and nothing that was built or installed. */
function checkOut(target: string): void {
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], { cwd: ROOT });
  const present = files
    .toString()
    .split('\0')
    .filter((file) => file !== '' && existsSync(join(ROOT, file)));
  for (const file of present) cpSync(join(ROOT, file), join(target, file));
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'milepost-readme-'));
  checkOut(folder);
  [port = '', opsPort = ''] = (await freePorts(2)).map(String);
  const environment = { ...process.env, PORT: port, OPS_PORT: opsPort };
  milepost = spawn('bash', ['-c', `exec 2>&1; ${START.replace('&& npm', '&& exec npm')}`], {
    cwd: folder,
    env: environment,
    detached: true,
  });
  const said: string[] = [];
  for await (const line of createInterface(milepost.stdout)) {
    said.push(line);
    if (line.startsWith('Milepost answers at')) break;
  }
  if (milepost.exitCode !== null) throw new Error(`\`${START}\` ended: ${said.join('\n')}`);
  milepost.stdout.resume();
  shell = new Shell(folder, environment);
}, INSTALL_MILLISECONDS);

afterAll(async () => {
  await shell?.end();
  if (milepost?.exitCode === null && milepost.pid !== undefined) {
    const ended = once(milepost, 'close');
    // As Ctrl-C in a terminal: the whole group.
    process.kill(-milepost.pid, 'SIGINT');
    await ended;
  }
  await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
});

describe('the README, in a fresh checkout', () => {
  it('begins with the two commands that are all the set-up', () => {
    expect(steps.map(({ command }) => command)).toEqual(expect.arrayContaining([START, TEST]));
    const ci = readFileSync(join(ROOT, '.ci/run'), 'utf8');
    expect(ci).toMatch(/\bnpm ci\b/);
    expect(ci).toMatch(/\bnpm test\b/);
  });

  it.each(tour)('runs: $command', async ({ command, answer }) => {
    const here = command
      .replaceAll('127.0.0.1:3000', `127.0.0.1:${port}`)
      .replaceAll('127.0.0.1:3001', `127.0.0.1:${opsPort}`);
    const output = await shell.run(here);
    if (answer !== null) expect(shapeOf(JSON.parse(output))).toEqual(shapeOf(JSON.parse(answer)));
  });

  it.runIf(inject('servicesProvider') === 'containers')(
    'runs what it says about containers (needs services in containers)',
    async () => {
      const [apiPort, opsPort, kafkaPort] = await freePorts(3);
      const environment = {
        ...process.env,
        COMPOSE_PROJECT_NAME: `milepost-readme-${process.pid}`,
        PORT: String(apiPort),
        OPS_PORT: String(opsPort),
        KAFKA_PORT: String(kafkaPort),
      };
      const compose = new Shell(folder, environment);
      try {
        for (const { command } of containers) await compose.run(command);
      } finally {
        await compose.run('docker compose down --volumes --timeout 1');
        await compose.end();
      }
    },
    300_000,
  );
});
