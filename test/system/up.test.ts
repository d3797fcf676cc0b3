import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rename, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { findEmbeddedPostgres } from '@milepost/embedded-postgres';
import { embeddedDirectory } from '@milepost/embedded-postgres/locate';
import { PROJECTIONS } from '@milepost/projections';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { assertOwnRolesAlone } from '../support/logins.ts';
import { whileReading } from '../support/readers.ts';
import { freePorts } from '../support/services/free-port.ts';
import { createHome, ended, milepost, ROOT, removeHome, run, type Settings, start } from './milepost.ts';

let home: string;
let port: number;
let opsPort: number;
let settings: Settings;
const running = new Set<ChildProcess>();

beforeAll(async () => {
  home = await createHome();
  [port = 0, opsPort = 0] = await freePorts(2);
  settings = { MILEPOST_HOME: home, PORT: String(port), OPS_PORT: String(opsPort) };
});

afterEach(async () => {
  // What a failed test left running must not fail the next one. Children of a killed `up` stop by themselves.
  for (const child of running) child.kill('SIGKILL');
  await expect.poll(() => running.size).toBe(0);
});

afterAll(async () => {
  await removeHome(home);
});

interface Up {
  child: ChildProcess;
  /** The lines of stdout up to the last example request. */
  lines: string[];
  ended: ReturnType<typeof once>;
}

/** Starts `up` and resolves when it has said how to use it. */
async function up(command: [string, ...string[]], last: RegExp, extra: Settings = {}): Promise<Up> {
  const child = start(command, { ...settings, ...extra });
  running.add(child);
  const exit = once(child, 'exit').finally(() => running.delete(child));
  let errors = '';
  child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const lines: string[] = [];
  if (child.stdout === null) throw new Error('The program was started without pipes.');
  for await (const line of createInterface(child.stdout)) {
    lines.push(line);
    if (last.test(line)) return { child, lines, ended: exit };
  }
  throw new Error(`up ended before it was ready: ${errors}`);
}

/** Ctrl-C in a terminal: SIGINT for the whole process group. */
function pressControlC(child: ChildProcess): void {
  if (child.pid !== undefined) process.kill(-child.pid, 'SIGINT');
}

async function assertNothingRuns(): Promise<void> {
  await expect.poll(() => findEmbeddedPostgres(embeddedDirectory(home)), { timeout: 10_000 }).toBeNull();
  for (const each of [port, opsPort]) {
    await expect
      .poll(() => fetch(`http://127.0.0.1:${each}/healthz`).catch(() => null), { timeout: 10_000 })
      .toBeNull();
  }
  await expect.poll(() => stat(join(home, 'up.lock')).catch(() => null), { timeout: 10_000 }).toBeNull();
}

async function shell(line: string): Promise<string> {
  const child = spawn('sh', ['-c', `${line} -w '\\n%{http_code}'`], { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
  return (await ended(child)).stdout;
}

const LAST_REQUEST = /^curl .*\/status/;

const OWN_ROLES: Record<string, string[]> = {
  api: ['milepost_api'],
  ingest: ['milepost_ingest'],
  projector: ['milepost_projector'],
  ops: ['milepost_operator', 'milepost_ingest', 'milepost_eraser', 'milepost_projector'],
};

describe('up', () => {
  it('brings everything up on an empty home with requests that work as pasted, ends on Ctrl-C, and goes on with the same data and key', async () => {
    const { child, lines, ended } = await up(['npx', 'milepost', 'up'], LAST_REQUEST);
    const requests = lines.filter((line) => line.startsWith('curl '));
    expect(requests).toHaveLength(7);
    for (const request of requests.slice(0, 6)) {
      const [body = '', code] = (await shell(request)).split(/\n(?=\d+$)/);
      expect(code, request).toBe('200');
      const answer: { count?: number; data?: { driving_summary: { trip_count: number } }[] } = JSON.parse(body);
      expect(answer.count ?? answer.data?.[0]?.driving_summary.trip_count, request).toBeGreaterThan(0);
    }
    const [answer = '', code] = (await shell(requests[6] ?? '')).split(/\n(?=\d+$)/);
    expect(code).toBe('200');
    const status = await run(['status', '--json'], settings);
    const { head_position, projections } = JSON.parse(status.stdout);
    expect(JSON.parse(answer)).toMatchObject({ head_position });
    expect(head_position).toBeGreaterThan(5_000);
    expect(projections.map((each: { checkpoint: number }) => each.checkpoint)).toEqual(
      PROJECTIONS.map(() => head_position),
    );
    const key = /mp_\S+/.exec(lines.join('\n'))?.[0] ?? '';
    const token = (await readFile(join(home, 'ops-token'), 'utf8')).trim();
    expect(lines.join('\n')).toContain(token);
    for (const secret of ['sample-key', 'ops-token']) {
      expect((await stat(join(home, secret))).mode & 0o777).toBe(0o600);
    }
    pressControlC(child);
    await ended;
    await assertNothingRuns();

    const second = await up(milepost(['up']), LAST_REQUEST);
    expect(second.lines.join('\n')).toContain(key);
    expect(second.lines.join('\n')).toContain(token);
    const again: { head_position: number } = JSON.parse((await run(['status', '--json'], settings)).stdout);
    expect(again.head_position).toBe(head_position);
    second.child.kill('SIGTERM');
    expect(await second.ended).toEqual([0, null]);
    await assertNothingRuns();
  });

  it('refuses a second one on the same home, naming the first', async () => {
    const second = await up(milepost(['up']), LAST_REQUEST);
    const [freePort = 0, freeOpsPort = 0] = await freePorts(2);
    const rival = await run(['up'], { ...settings, PORT: String(freePort), OPS_PORT: String(freeOpsPort) });
    expect(rival).toMatchObject({ code: 1, stdout: '' });
    expect(rival.stderr).toContain(`as process ${second.child.pid}`);

    second.child.kill('SIGTERM');
    expect(await second.ended).toEqual([0, null]);
    await assertNothingRuns();
  });

  it('starts over a lock, a server and children that a killed one left behind', async () => {
    const killed = await up(milepost(['up']), LAST_REQUEST);
    killed.child.kill('SIGKILL');
    await killed.ended;
    expect(await readFile(join(home, 'up.lock'), 'utf8')).toContain(String(killed.child.pid));
    await expect
      .poll(() => fetch(`http://127.0.0.1:${port}/healthz`).catch(() => null), { timeout: 10_000 })
      .toBeNull();
    const next = await up(milepost(['up']), LAST_REQUEST);
    pressControlC(next.child);
    expect(await next.ended).toEqual([0, null]);
    await assertNothingRuns();
  });

  it('ends when npm is told to end, which does not pass that on', async () => {
    const { child, ended } = await up(['npx', 'milepost', 'up'], LAST_REQUEST);
    child.kill('SIGTERM');
    await ended;
    await assertNothingRuns();
  });

  it.runIf(process.platform === 'linux')(
    'gives each process a login that can act in the roles of its own work alone, and the token to the one that needs it',
    async () => {
      const { child, ended: exit } = await up(milepost(['up']), LAST_REQUEST, { KAFKA_BROKERS: '127.0.0.1:1' });
      const children = await readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8');
      const processes = new Map<string, Map<string, string>>();
      for (const pid of children.trim().split(' ')) {
        const [name = ''] = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0').slice(2);
        const variables = (await readFile(`/proc/${pid}/environ`, 'utf8')).split('\0');
        processes.set(
          name,
          new Map(variables.map((each) => [each.split('=', 1)[0] ?? '', each.replace(/^.*?=/s, '')])),
        );
      }
      expect([...processes.keys()].sort()).toEqual(['api', 'ingest', 'ops', 'projector']);
      for (const [name, variables] of processes) {
        expect(variables.has('OPS_TOKEN'), name).toBe(name === 'ops');
        await assertOwnRolesAlone(variables.get('DATABASE_URL') ?? '', OWN_ROLES[name] ?? []);
      }
      child.kill('SIGTERM');
      expect(await exit).toEqual([0, null]);
    },
  );

  it('loads nothing with SAMPLE_FLEET=off, and says how to make a key', async () => {
    const empty = await createHome();
    try {
      const { child, lines, ended } = await up(milepost(['up']), LAST_REQUEST, {
        MILEPOST_HOME: empty,
        SAMPLE_FLEET: 'off',
        OPS_TOKEN: 'chosen-by-the-operator',
      });
      expect(lines.join('\n')).toContain('keys create');
      const requests = lines.filter((line) => line.startsWith('curl '));
      expect(requests).toHaveLength(1);
      // A token that somebody keeps elsewhere must end up neither in a log nor in the home.
      expect(lines.join('\n')).not.toContain('chosen-by-the-operator');
      expect(await stat(join(empty, 'ops-token')).catch(() => null)).toBeNull();
      const answer = await shell(`OPS_TOKEN=chosen-by-the-operator; ${requests[0]}`);
      expect(answer.split('\n').at(-1)).toBe('200');
      child.kill('SIGTERM');
      expect(await ended).toEqual([0, null]);
    } finally {
      await removeHome(empty);
    }
  });

  it.each(['PORT', 'OPS_PORT'])('says in one sentence that %s is taken, and leaves nothing running', async (name) => {
    const taken = Number(settings[name]);
    const server = createServer().listen(taken, '127.0.0.1');
    await once(server, 'listening');
    const result = await run(['up'], settings);
    await new Promise((resolve) => server.close(resolve));
    expect(result).toMatchObject({ code: 1, stdout: '' });
    expect(result.stderr).toMatch(new RegExp(`^milepost: Port ${taken} on 127.0.0.1 is taken: .* set ${name} .*\n$`));
    await assertNothingRuns();
  });

  it('says in one sentence that the database cannot be reached', async () => {
    const [closed = 0] = await freePorts(1);
    const result = await run(['up'], { ...settings, DATABASE_URL: `postgres://u:secret@127.0.0.1:${closed}/none` });
    expect(result).toMatchObject({ code: 1, stdout: '' });
    expect(result.stderr).toMatch(
      /^milepost: The database none at 127\.0\.0\.1:\d+ cannot be used: .*ECONNREFUSED.*\n$/,
    );
    expect(result.stderr).not.toContain('secret');
  });

  it.each([
    ['its own', { PORT: 'eighty' }, /PORT must be/],
    ['one port for both', { OPS_PORT: '3000', PORT: '3000' }, /^milepost: PORT and OPS_PORT must differ/],
    ["a child's", { OPS_TOKEN: 'two words' }, /^milepost: OPS_TOKEN must be/],
    ["a child's", { RATE_LIMIT_PER_MINUTE: 'many' }, /^milepost: RATE_LIMIT_PER_MINUTE must be/],
    [
      'several at once',
      { KAFKA_BROKER: 'x:1', PORT: 'eighty', LOG_LEVEL: 'loud', OPS_TOKEN: 'two words', RATE_LIMIT_PER_MINUTE: 'many' },
      /^milepost: KAFKA_BROKER is .* mean KAFKA_BROKERS\? PORT must .* LOG_LEVEL must .* RATE_LIMIT_PER_MINUTE must .* OPS_TOKEN must .*\n$/,
    ],
  ])('ends with exit code 2 for a wrong setting, %s, and leaves nothing running', async (_whose, wrong, sentence) => {
    const result = await run(['up'], { ...settings, ...wrong });
    expect(result).toMatchObject({ code: 2, stdout: '' });
    expect(result.stderr).toMatch(sentence);
    await assertNothingRuns();
  });

  describe('with a PostgreSQL of its own that', () => {
    let running: Up;
    let said: string[];
    let request: [url: string, headers: Record<string, string>];

    beforeEach(async () => {
      running = await up(milepost(['up']), LAST_REQUEST);
      said = [];
      running.child.stderr?.on('data', (chunk: Buffer) => said.push(chunk.toString()));
      const [line = ''] = running.lines.filter((each) => each.startsWith('curl '));
      const [, url = '', authorization = ''] = /'(http[^']+)'.*'Authorization: ([^']+)'/.exec(line) ?? [];
      request = [url, { authorization, 'content-type': 'application/json' }];
    });

    async function ask(): Promise<number> {
      const [url, headers] = request;
      const answer = await fetch(url, { headers });
      await answer.arrayBuffer();
      return answer.status;
    }

    async function postmaster(): Promise<number> {
      return Number.parseInt(await readFile(join(embeddedDirectory(home), 'data', 'postmaster.pid'), 'utf8'), 10);
    }

    /** How often a reader got which status while `work` was done; every request is answered. */
    async function counted(what: string, work: () => Promise<void>): Promise<Record<string, number>> {
      const begin = performance.now();
      const { answers, waits } = await whileReading(1, ask, work);
      const seconds = (performance.now() - begin) / 1_000;
      const counts: Record<string, number> = {};
      for (const status of answers) counts[status] = (counts[status] ?? 0) + 1;
      const longest = Math.max(...waits) / 1_000;
      process.stderr.write(
        `${what}: ${JSON.stringify(counts)} in ${seconds.toFixed(1)} s, longest ${longest.toFixed(1)} s\n`,
      );
      return counts;
    }

    async function assertGoesOn(): Promise<void> {
      expect(await ask()).toBe(200);
      expect(running.child.exitCode).toBeNull();
      running.child.kill('SIGTERM');
      expect(await running.ended).toEqual([0, null]);
      await assertNothingRuns();
    }

    it('is halted for 8 s, answers all the while', async () => {
      const pid = await postmaster();
      const counts = await counted('PostgreSQL halted for 8 s', async () => {
        process.kill(pid, 'SIGSTOP');
        await Promise.race([delay(8_000), running.ended]);
        process.kill(pid, 'SIGCONT');
        await Promise.race([delay(3_000), running.ended]);
      });
      expect(Object.keys(counts)).toEqual(['200']);
      expect(await postmaster()).toBe(pid);
      await assertGoesOn();
    });

    it('loses one of its processes again and again, is there as soon as it has recovered', async () => {
      const pid = await postmaster();
      const { url = '' } = (await findEmbeddedPostgres(embeddedDirectory(home))) ?? {};
      const counts = await counted('a process of PostgreSQL killed for 5 s', async () => {
        const end = performance.now() + 5_000;
        while (performance.now() < end && running.child.exitCode === null) {
          const client = new Client({ connectionString: url });
          client.on('error', () => {});
          await client.connect().then(
            () => process.kill(Number(Reflect.get(client, 'processID')), 'SIGKILL'),
            () => {},
          );
          await client.end().catch(() => {});
        }
        await expect.poll(ask, { timeout: 20_000 }).toBe(200);
      });
      expect(Object.keys(counts).filter((status) => status !== '503')).toEqual(['200']);
      expect(await postmaster()).toBe(pid);
      await assertGoesOn();
    });

    it('is killed, starts it again where its processes look for it', async () => {
      const pid = await postmaster();
      const counts = await counted('PostgreSQL killed', async () => {
        process.kill(pid, 'SIGKILL');
        await expect.poll(() => said.join(''), { timeout: 30_000 }).toContain('PostgreSQL runs again.');
        await expect.poll(ask, { timeout: 30_000 }).toBe(200);
      });
      expect(Object.keys(counts).filter((status) => status !== '503')).toEqual(['200']);
      expect(await postmaster()).not.toBe(pid);
      await assertGoesOn();
    });

    it('is gone for good, ends with a sentence a minute later, instead of refusing every request for ever', async () => {
      const file = join(embeddedDirectory(home), 'data', 'global', 'pg_control');
      await rename(file, `${file}.away`);
      process.kill(await postmaster(), 'SIGKILL');
      expect(await running.ended).toEqual([1, null]);
      await rename(`${file}.away`, file);
      expect(said.join('')).toMatch(/milepost: The embedded PostgreSQL ended by itself.*pg_control/);
      await assertNothingRuns();
    });
  });
});
