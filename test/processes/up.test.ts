import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { dateOf, MILLISECONDS_PER_DAY } from '@milepost/domain/calendar';
import { PROJECTIONS } from '@milepost/projections';
import { beforeAll, describe, expect, it } from 'vitest';
import { run } from '../support/command.ts';
import { assertOwnRolesAlone } from '../support/logins.ts';
import { createHome, ended, milepost, ROOT, removeHome } from '../support/milepost.ts';
import { exampleRequests } from '../support/openapi.ts';
import { needs } from '../support/programs.ts';
import { freePorts } from '../support/services/free-port.ts';
import { askAgain, postmasterOf, statusesWhile, type Up, UpHome } from '../support/up-home.ts';

const home = new UpHome();

/** Acts as Ctrl-C in a terminal does, which sends SIGINT to the whole process group. */
function pressControlC(child: ChildProcess): void {
  if (child.pid !== undefined) process.kill(-child.pid, 'SIGINT');
}

async function shell(line: string): Promise<string> {
  const child = spawn('sh', ['-c', `${line} -w '\\n%{http_code}'`], { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
  return (await ended(child)).stdout;
}

const OWN_ROLES: Record<string, string[]> = {
  api: ['milepost_api'],
  ingest: ['milepost_ingest'],
  projector: ['milepost_projector'],
  ops: ['milepost_operator', 'milepost_ingest', 'milepost_eraser', 'milepost_projector'],
};

describe('milepost up', () => {
  it(
    'starts in an empty home, prints requests that work, stops on Ctrl-C, and keeps data and key',
    needs('curl'),
    async () => {
      const { child, lines, ended } = await home.start(['npx', 'milepost', 'up']);
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
      const status = await run(['status', '--json'], home.settings);
      // The commands use ops's login, which may not act in the API's role.
      const yesterday = dateOf(Date.now() - MILLISECONDS_PER_DAY);
      const days = ['--fleet', 'sunrise-delivery', '--from', yesterday, '--to', yesterday];
      expect(await run(['export', 'days', ...days, '--format', 'csv'], home.settings)).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/^driver_id,date,/),
      });
      const { head_position, projections } = JSON.parse(status.stdout);
      expect(JSON.parse(answer)).toMatchObject({ head_position });
      expect(head_position).toBeGreaterThan(5_000);
      expect(projections.map((each: { checkpoint: number }) => each.checkpoint)).toEqual(
        PROJECTIONS.map(() => head_position),
      );
      const key = /mp_\S+/.exec(lines.join('\n'))?.[0] ?? '';
      const url = /http:\S+/.exec(lines.join('\n'))?.[0] ?? '';
      const headers = { Authorization: `APIKEY ${key}`, 'Content-Type': 'application/json' };
      const examples = exampleRequests(JSON.parse(await (await fetch(`${url}/openapi.json`)).text()));
      expect(examples).toHaveLength(6);
      for (const example of examples) expect((await fetch(url + example, { headers })).status, example).toBe(200);
      const token = (await readFile(join(home.path, 'ops-token'), 'utf8')).trim();
      expect(lines.join('\n')).toContain(token);
      for (const secret of ['sample-key', 'ops-token']) {
        expect((await stat(join(home.path, secret))).mode & 0o777).toBe(0o600);
      }
      pressControlC(child);
      await ended;
      await home.assertNothingRuns();

      const second = await home.start(milepost(['up']));
      expect(second.lines.join('\n')).toContain(key);
      expect(second.lines.join('\n')).toContain(token);
      const again: { head_position: number } = JSON.parse((await run(['status', '--json'], home.settings)).stdout);
      expect(again.head_position).toBe(head_position);
      second.child.kill('SIGTERM');
      expect(await second.ended).toEqual([0, null]);
      await home.assertNothingRuns();
    },
  );

  describe('that is running', () => {
    let running: Up;
    let said = '';

    beforeAll(async () => {
      // No broker listens there, but the setting makes `up` start an ingest process.
      running = await home.startShared(milepost(['up']), { KAFKA_BROKERS: '127.0.0.1:1' });
      running.child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
    });

    it('refuses a second start on the same home, and names the first process', async () => {
      const [freePort = 0, freeOpsPort = 0] = await freePorts(2);
      const rival = await run(['up'], { ...home.settings, PORT: String(freePort), OPS_PORT: String(freeOpsPort) });
      expect(rival).toMatchObject({ code: 1, stdout: '' });
      expect(rival.stderr).toContain(`as process ${running.child.pid}`);
    });

    it.runIf(process.platform === 'linux')(
      'gives each process a login with only the roles that it needs, and gives the token only to ops',
      async () => {
        const { pid } = running.child;
        const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
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
      },
    );

    it('restarts its PostgreSQL on the same port after a kill', async () => {
      const pid = await postmasterOf(home);
      const counts = await statusesWhile(running, 'PostgreSQL killed', async () => {
        process.kill(pid, 'SIGKILL');
        await expect.poll(() => said).toContain('PostgreSQL runs again.');
        await expect.poll(() => askAgain(running)).toBe(200);
      });
      expect(Object.keys(counts).filter((status) => status !== '503')).toEqual(['200']);
      expect(await postmasterOf(home)).not.toBe(pid);
      expect(await askAgain(running)).toBe(200);
    });

    it('stops in order on SIGTERM', async () => {
      expect(running.child.exitCode).toBeNull();
      running.child.kill('SIGTERM');
      expect(await running.ended).toEqual([0, null]);
      await home.assertNothingRuns();
    });
  });

  it('starts despite a lock, a server and children of a killed run', async () => {
    const killed = await home.start(milepost(['up']));
    killed.child.kill('SIGKILL');
    await killed.ended;
    expect(await readFile(join(home.path, 'up.lock'), 'utf8')).toContain(String(killed.child.pid));
    await expect
      .poll(() => fetch(`http://127.0.0.1:${home.ports[0]}/healthz`).catch(() => null), { timeout: 10_000 })
      .toBeNull();
    const next = await home.start(milepost(['up']));
    pressControlC(next.child);
    expect(await next.ended).toEqual([0, null]);
    await home.assertNothingRuns();
  });

  it('stops when npm is stopped, although npm does not forward the signal', async () => {
    const { child, ended } = await home.start(['npx', 'milepost', 'up']);
    child.kill('SIGTERM');
    await ended;
    await home.assertNothingRuns();
  });

  it('loads no sample data with SAMPLE_FLEET=off, and explains how to create a key', needs('curl'), async () => {
    const empty = await createHome();
    try {
      const { child, lines, ended } = await home.start(milepost(['up']), {
        MILEPOST_HOME: empty,
        SAMPLE_FLEET: 'off',
        OPS_TOKEN: 'chosen-by-the-operator',
      });
      expect(lines.join('\n')).toContain('keys create');
      const requests = lines.filter((line) => line.startsWith('curl '));
      expect(requests).toHaveLength(1);
      // An external token must appear neither in a log nor in the home.
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

  it.each(['PORT', 'OPS_PORT'])(
    'reports in one sentence that %s is taken, and leaves no process running',
    async (name) => {
      const taken = Number(home.settings[name]);
      const server = createServer().listen(taken, '127.0.0.1');
      await once(server, 'listening');
      const result = await run(['up'], home.settings);
      await new Promise((resolve) => server.close(resolve));
      expect(result).toMatchObject({ code: 1, stdout: '' });
      expect(result.stderr).toMatch(
        new RegExp(`^milepost: Port ${taken} on 127.0.0.1 is in use: .* set ${name} .*\n$`),
      );
      await home.assertNothingRuns();
    },
  );

  it('reports in one sentence that the database cannot be reached', async () => {
    const [closed = 0] = await freePorts(1);
    const result = await run(['up'], {
      ...home.settings,
      DATABASE_URL: `postgres://u:secret@127.0.0.1:${closed}/none`,
    });
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
  ])('exits with code 2 for a wrong setting, %s, and leaves no process running', async (_whose, wrong, sentence) => {
    const result = await run(['up'], { ...home.settings, ...wrong });
    expect(result).toMatchObject({ code: 2, stdout: '' });
    expect(result.stderr).toMatch(sentence);
    await home.assertNothingRuns();
  });
});
