import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { TestOptions } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    /** Why the test is skipped: what is missing, followed by a colon and how to get it. */
    missing?: string;
  }
}

/** How to find a program, and which Debian packages provide it. */
interface Program {
  isThere: () => boolean;
  packages: string;
  /** What to do besides installing the packages. */
  more?: string;
}

/** Returns the first of these commands that is in a folder on PATH. */
function commandOnPath(names: readonly string[]): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return names
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

const command = (name: string, packages = name): Program => ({
  isThere: () => commandOnPath([name]) !== undefined,
  packages,
});

/** A server in a folder that is not on every account's PATH. */
const server = (name: string, packages = name): Program => ({
  ...command(name, packages),
  more: ', and add /usr/sbin to PATH',
});

function succeeds(program: string, ...words: readonly string[]): boolean {
  return spawnSync(program, words).status === 0;
}

/** A command that exists on some systems even if the program behind it is missing. */
const java = (name: string): Program => ({
  isThere: () => succeeds(name, '-version'),
  packages: 'openjdk-17-jdk-headless',
});

const python = (modules: string, packages: string): Program => ({
  isThere: () => succeeds(PYTHON, '-c', `import ${modules}`),
  packages: `python3 ${packages}`,
});

/** Debian's Python finds the modules in Debian's packages. A different Python on PATH might not find them. */
export const PYTHON = '/usr/bin/python3';
const CHROMIUM = ['chromium', 'chromium-browser', 'google-chrome'];

/** The programs started by tests, except Node, npm and those in a minimal Debian. */
const PROGRAMS = {
  bash: command('bash'),
  chromium: { isThere: () => commandOnPath(CHROMIUM) !== undefined, packages: 'chromium' },
  'confluent_kafka for Python': python('confluent_kafka', 'python3-confluent-kafka'),
  curl: command('curl'),
  docker: { isThere: () => succeeds('docker', 'version'), packages: 'docker.io', more: ', and start its engine' },
  fish: command('fish'),
  git: command('git'),
  go: command('go', 'golang-go'),
  haproxy: server('haproxy'),
  java: java('java'),
  javac: java('javac'),
  kcat: command('kcat'),
  mvn: command('mvn', 'maven'),
  nginx: server('nginx', 'nginx-light'),
  openssl: command('openssl'),
  prometheus: command('prometheus'),
  promtool: command('promtool', 'prometheus'),
  ps: command('ps', 'procps'),
  'pydantic, urllib3 and dateutil for Python': python(
    'pydantic, urllib3, dateutil',
    'python3-pydantic python3-urllib3 python3-dateutil',
  ),
  'redis-server': command('redis-server'),
  'systemd-analyze': command('systemd-analyze', 'systemd'),
  zsh: command('zsh'),
} satisfies Record<string, Program>;

type ProgramName = keyof typeof PROGRAMS;

// `.ci/run` runs this file to find out which Debian packages this machine lacks.
if (import.meta.main) {
  const missing = Object.values<Program>(PROGRAMS).filter(({ isThere }) => !isThere());
  process.stdout.write(missing.map(({ packages }) => `${packages}\n`).join(''));
}

/** The path of this machine's Chromium or Chrome. */
export function chromiumFile(): string {
  return commandOnPath(CHROMIUM) ?? 'chromium';
}

/**
 * Returns the options for a test or suite that needs programs. If one is missing, the test is skipped and counted in
 * the run's last lines (services-reporter.ts). With REQUIRE_SERVICES=1, the test's file fails instead.
 */
export function needs(...names: readonly ProgramName[]): TestOptions {
  const name = names.find((each) => !PROGRAMS[each].isThere());
  if (name === undefined) return {};
  const { packages, more = '' }: Program = PROGRAMS[name];
  return unless(`${name}: install it with apt-get install ${packages}${more}`);
}

/**
 * Does the same as `needs` for requirements that are not in the table of programs.
 *
 * @param missing what is missing, followed by a colon and how to get it; null if nothing is missing
 */
export function unless(missing: string | null): TestOptions {
  if (missing === null) return {};
  if (process.env['REQUIRE_SERVICES'] === '1') throw new Error(`REQUIRE_SERVICES=1, but a test needs ${missing}`);
  return { skip: true, meta: { missing } };
}
