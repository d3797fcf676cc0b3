import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { dateOf, MILLISECONDS_PER_DAY } from '@milepost/domain/calendar';
import { PROJECTIONS } from '@milepost/projections';
import { beforeAll, describe, expect, it } from 'vitest';
import { run } from '../support/command.ts';
import { openFolder, untilTestEnds } from '../support/fixtures.ts';
import { assertOwnRolesAlone } from '../support/logins.ts';
import { ended, milepost, start } from '../support/milepost.ts';
import { exampleRequests } from '../support/openapi.ts';
import { needs } from '../support/programs.ts';
import { freePorts, portSettings } from '../support/services/free-port.ts';
import { askAgain, postmasterOf, runningChildren, statusesWhile, type Up, UpHome } from '../support/up-home.ts';

const home = new UpHome();

/** Acts like Ctrl-C in a terminal, which sends SIGINT to the whole process group. */
function pressControlC(child: ChildProcess): void {
  if (child.pid !== undefined) process.kill(-child.pid, 'SIGINT');
}

async function shell(line: string): Promise<string> {
  return (await ended(start(['sh', '-c', `${line} -w '\\n%{http_code}'`], {}))).stdout;
}

const OWN_ROLES: Record<string, string[]> = {
  api: ['milepost_api'],
  ingest: ['milepost_ingest'],
  projector: ['milepost_projector'],
  ops: ['milepost_operator', 'milepost_ingest', 'milepost_eraser', 'milepost_projector'],
};

describe('milepost up', () => {
  let first: string;
  let headPosition: number;

  it(
    'starts in an empty home, prints requests that work, and stops when npm is stopped without forwarding the signal',
    needs('curl'),
    async () => {
      const { child, lines, ended } = await home.start(['npx', 'milepost', 'up']);
      first = lines.join('\n');
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
      // The commands use ops's login, which is not allowed to act as the API's role.
      const yesterday = dateOf(Date.now() - MILLISECONDS_PER_DAY);
      const days = ['--fleet', 'sunrise-delivery', '--from', yesterday, '--to', yesterday];
      expect(await run(['export', 'days', ...days, '--format', 'csv'], home.settings)).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/^driver_id,date,/),
      });
      const status = JSON.parse((await run(['status', '--json'], home.settings)).stdout);
      headPosition = status.head_position;
      expect(JSON.parse(answer)).toMatchObject({ head_position: headPosition });
      expect(headPosition).toBeGreaterThan(5_000);
      expect(status.projections.map((each: { checkpoint: number }) => each.checkpoint)).toEqual(
        PROJECTIONS.map(() => headPosition),
      );
      const [url = ''] = /http:\S+/.exec(first) ?? [];
      const [key = ''] = /mp_\S+/.exec(first) ?? [];
      const headers = { Authorization: `APIKEY ${key}`, 'Content-Type': 'application/json' };
      const examples = exampleRequests(JSON.parse(await (await fetch(`${url}/openapi.json`)).text()));
      expect(examples).toHaveLength(6);
      for (const example of examples) expect((await fetch(url + example, { headers })).status, example).toBe(200);
      for (const secret of ['sample-key', 'ops-token']) {
        expect((await stat(join(home.path, secret))).mode & 0o777).toBe(0o600);
      }
      child.kill('SIGTERM');
      await ended;
      await home.assertNothingRuns();
    },
  );

  describe('that runs again', () => {
    let running: Up;
    beforeAll(async () => {
      // No broker listens at this address, but the setting makes `up` start an ingest process.
      running = await home.startShared(milepost(['up']), { KAFKA_BROKERS: '127.0.0.1:1' });
    });

    it('keeps its data, key and token', async () => {
      const secrets = (text: string) => text.match(/m[po]_[\w-]+/g);
      expect(secrets(running.lines.join('\n'))).toEqual(secrets(first));
      const { head_position } = JSON.parse((await run(['status', '--json'], home.settings)).stdout);
      expect(head_position).toBe(headPosition);
    });

    it('refuses a second start on the same home, and names the first process', async () => {
      const rival = await run(['up'], { ...home.settings, ...(await portSettings('PORT', 'OPS_PORT')) });
      expect(rival).toMatchObject({ code: 1, stdout: '' });
      expect(rival.stderr).toContain(`as process ${running.child.pid}`);
    });

    it.runIf(process.platform === 'linux')(
      'gives each process only the roles that it needs, the token only to ops, and less priority to those that write',
      async () => {
        const children = await runningChildren(running.child.pid);
        expect(children.map(({ name }) => name)).toEqual(['api', 'ingest', 'ops', 'projector']);
        for (const { name, pid: child } of children) {
          const variables = (await readFile(`/proc/${child}/environ`, 'utf8')).split('\0');
          const textOf = (variable: string) =>
            variables.find((each) => each.startsWith(`${variable}=`))?.slice(variable.length + 1);
          expect(textOf('OPS_TOKEN') !== undefined, name).toBe(name === 'ops');
          const isWriting = name === 'ingest' || name === 'projector';
          // A process that has just started may not have lowered its priority yet.
          await expect.poll(() => getPriority(child), { message: name }).toBe(isWriting ? 5 : getPriority());
          await assertOwnRolesAlone(textOf('DATABASE_URL') ?? '', OWN_ROLES[name] ?? []);
        }
      },
    );

    it('restarts its PostgreSQL on the same port after a kill', async () => {
      const pid = await postmasterOf(home);
      const counts = await statusesWhile(running, 'PostgreSQL killed', async () => {
        process.kill(pid, 'SIGKILL');
        await expect.poll(running.said).toContain('PostgreSQL is running again.');
        await expect.poll(() => askAgain(running)).toBe(200);
      });
      expect(Object.keys(counts).filter((status) => status !== '503')).toEqual(['200']);
      expect(await postmasterOf(home)).not.toBe(pid);
    });

    it('starts despite the lock, the server and the children of a killed run, and stops on Ctrl-C', async () => {
      running.child.kill('SIGKILL');
      await running.ended;
      expect(await readFile(join(home.path, 'up.lock'), 'utf8')).toContain(String(running.child.pid));
      await expect.poll(() => fetch(`http://127.0.0.1:${home.ports[0]}/healthz`).catch(() => null)).toBeNull();
      const next = await home.start(milepost(['up']));
      pressControlC(next.child);
      expect(await next.ended).toEqual([0, null]);
      await home.assertNothingRuns();
    });
  });

  it('loads no sample data with SAMPLE_FLEET=off, explains how to create a key, and stops on SIGTERM', async () => {
    const empty = untilTestEnds(await openFolder());
    const settings = { MILEPOST_HOME: empty.path, SAMPLE_FLEET: 'off', OPS_TOKEN: 'chosen-by-the-operator' };
    const { child, lines, ended } = await home.start(milepost(['up']), settings);
    expect(lines.join('\n')).toContain('npx milepost keys create --fleet FLEET');
    expect(lines.filter((line) => line.startsWith('curl '))).toEqual([expect.stringContaining('Bearer $OPS_TOKEN"')]);
    // The operator's own token must appear neither in a log nor in the home.
    expect(lines.join('\n')).not.toContain('chosen-by-the-operator');
    expect(await stat(join(empty.path, 'ops-token')).catch(() => null)).toBeNull();
    const headers = { authorization: 'Bearer chosen-by-the-operator' };
    expect((await fetch(`http://127.0.0.1:${home.ports[1]}/status`, { headers })).status).toBe(200);
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  });

  it('reports in one sentence that a port is taken, and leaves no process running', async () => {
    const taken = Number(home.settings['OPS_PORT']);
    const server = createServer().listen(taken, '127.0.0.1');
    await once(server, 'listening');
    const result = await run(['up'], home.settings);
    await new Promise((resolve) => server.close(resolve));
    expect(result).toMatchObject({ code: 1, stdout: '' });
    expect(result.stderr).toMatch(new RegExp(`^milepost: Port ${taken} on 127.0.0.1 is in use: .* set OPS_PORT .*\n$`));
    await home.assertNothingRuns();
  });

  it('reports in one sentence that the database cannot be reached', async () => {
    const [closed = 0] = await freePorts(1);
    const url = `postgres://u:secret@127.0.0.1:${closed}/none`;
    const result = await run(['up'], { ...home.settings, DATABASE_URL: url });
    expect(result).toMatchObject({ code: 1, stdout: '' });
    expect(result.stderr).toMatch(
      /^milepost: The database none at 127\.0\.0\.1:\d+ cannot be used: .*ECONNREFUSED.*\n$/,
    );
    expect(result.stderr).not.toContain('secret');
  });

  it('exits with code 2 for wrong settings of its own and of its processes, and names all of them', async () => {
    const wrong = { KAFKA_BROKER: 'x:1', PORT: 'eighty', LOG_LEVEL: 'loud', OPS_TOKEN: 'two words', LANES: '0' };
    const result = await run(['up'], { ...home.settings, ...wrong, RATE_LIMIT_PER_MINUTE: 'many' });
    expect(result).toMatchObject({ code: 2, stdout: '' });
    expect(result.stderr).toMatch(
      /^milepost: KAFKA_BROKER is .* mean KAFKA_BROKERS\? PORT must .* LANES must .* LOG_LEVEL must .* RATE_LIMIT_PER_MINUTE must .* OPS_TOKEN must .*\n$/,
    );
    await home.assertNothingRuns();
  });
});
