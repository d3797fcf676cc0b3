import { execFile, spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { MilepostClient } from '@milepost/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { milepost, ROOT } from '../support/milepost.ts';
import { needs, PYTHON } from '../support/programs.ts';
import { mavenJars } from '../support/services/maven-jars.ts';
import { UpHome } from '../support/up-home.ts';

const run = promisify(execFile);

const MAX_MILLISECONDS = 240_000;
const DRIVER = 'driver-00001';
/** The start date in the document's commands. */
const DOCUMENTED_DATE = '2026-10-01';

/** The languages in docs/clients.md, each with the file of its program and with what it needs. */
const LANGUAGES = [
  { title: 'Python', file: 'trips.py', program: 'pydantic, urllib3 and dateutil for Python' },
  { title: 'Java', file: 'Trips.java', program: 'javac' },
  { title: 'Go', file: 'go/trips/main.go', program: 'go' },
] as const;

/** Whether Debian's Python has pydantic 1, for which the generator uses a different name. */
function hasPydantic1(): boolean {
  return spawnSync(PYTHON, ['-c', 'import pydantic; assert pydantic.VERSION.startswith("1.")']).status === 0;
}

describe('a client that openapi-generator makes', needs('java', 'mvn'), () => {
  const home = new UpHome();
  let document: string;
  let folder: string;
  let environment: NodeJS.ProcessEnv;
  let date: string;
  let expected: string[];

  beforeAll(async () => {
    document = await readFile(join(ROOT, 'docs/clients.md'), 'utf8');
    folder = await mkdtemp(join(tmpdir(), 'milepost-clients-'));
    const jars = await mavenJars('OpenAPI Generator', join(ROOT, 'test/support/generated-clients/pom.xml'));
    await symlink(jars, join(folder, 'jars'));
    await mkdir(join(folder, 'bin'));
    const command = join(folder, 'bin/openapi-generator-cli');
    await writeFile(command, `#!/bin/sh\nexec java -cp '${jars}/*' org.openapitools.codegen.OpenAPIGenerator "$@"\n`);
    await chmod(command, 0o755);

    const { lines } = await home.startShared(milepost(['up']), {});
    const [, key = ''] = /APIKEY (\S+?)'/.exec(lines.join('\n')) ?? [];
    const baseUrl = `http://127.0.0.1:${home.ports[0]}`;
    environment = {
      ...process.env,
      // Debian's Python has the libraries, which another Python on PATH may lack.
      PATH: `${join(folder, 'bin')}:/usr/bin:${process.env['PATH']}`,
      MILEPOST_URL: baseUrl,
      MILEPOST_KEY: key,
      // The generator's jar also contains annotation processors.
      JDK_JAVAC_OPTIONS: '-proc:none -nowarn',
      GOPROXY: 'off',
    };
    const client = new MilepostClient({ baseUrl, key });
    const [summary] = await client.dailySummaries(new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10), [
      DRIVER,
    ]);
    date = summary?.driver_info.last_travel_date ?? '';
    const trips = await Array.fromAsync(client.trips(DRIVER, date));
    const details = await Promise.all(trips.map(({ trip_id }) => client.trip(trip_id)));
    expected = details.map((trip) =>
      [trip.trip_id, trip.trip_end_time, trip.start_latitude, trip.events.length].join(' '),
    );
    expect(expected).not.toEqual([]);
  }, MAX_MILLISECONDS);

  afterAll(async () => await rm(folder, { recursive: true, force: true }));

  for (const { title, file, program } of LANGUAGES) {
    it(`compiles and answers: ${title}`, { ...needs(program), timeout: MAX_MILLISECONDS }, async () => {
      const [, section = ''] = document.split(`\n### ${title}\n`);
      const [, commands = '', program = ''] = /```sh\n(.*?)```.*?```\w+\n(.*?)```/s.exec(section) ?? [];
      expect(commands).toContain(`${DRIVER} ${DOCUMENTED_DATE}`);
      await mkdir(dirname(join(folder, file)), { recursive: true });
      await writeFile(join(folder, file), program);
      const here = commands
        .replace(DOCUMENTED_DATE, date)
        .replace('-g python ', hasPydantic1() ? '-g python-pydantic-v1 ' : '-g python ');
      const { stdout } = await run('bash', ['-euc', here], {
        cwd: folder,
        env: environment,
        maxBuffer: 16 * 1024 * 1024,
      });
      expect(stdout.split('\n').filter((line) => /^[0-9a-f]{32} /.test(line))).toEqual(expected);
    });
  }
});
