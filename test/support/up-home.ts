import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { embeddedDirectory, findEmbeddedPostgres } from '@milepost/postgres/embedded';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { openFolder, perSuite } from './fixtures.ts';
import { type Settings, start } from './milepost.ts';
import { whileReading } from './readers.ts';
import { freePorts } from './services/free-port.ts';

const LAST_REQUEST = /^curl .*\/status/;

export interface Up {
  child: ChildProcess;
  /** The lines of stdout up to the last example request. */
  lines: string[];
  /** Returns the text printed on stderr so far. */
  said: () => string;
  ended: ReturnType<typeof once>;
}

/**
 * A Milepost home with two ports for one test file. Only one `up` runs in it at a time. After the file's tests, the
 * process is stopped and the home is deleted.
 */
export class UpHome {
  settings: Settings = {};
  ports: number[] = [];
  readonly #folder = perSuite(openFolder);
  readonly #running = new Set<ChildProcess>();
  #shared: Up | null = null;

  constructor() {
    beforeAll(async () => {
      this.ports = await freePorts(2);
      const [port, opsPort] = this.ports.map(String);
      this.settings = { MILEPOST_HOME: this.path, PORT: port ?? '', OPS_PORT: opsPort ?? '' };
    });
    afterEach(async () => {
      // A process left running by a failed test must not make the next test fail. The children of a killed `up` stop on
      // their own.
      for (const child of this.#running) child.kill('SIGKILL');
      await expect.poll(() => this.#running.size).toBe(0);
    });
    afterAll(async () => {
      this.#shared?.child.kill('SIGKILL');
      await this.#shared?.ended;
    });
  }

  get path(): string {
    return this.#folder.path;
  }

  /**
   * Starts `up`. Resolves once it has printed its example requests.
   *
   * @param onSaid called with all the text on stderr whenever the process has printed some
   */
  async start(
    command: [string, ...string[]],
    extra: Settings = {},
    onSaid: (said: string) => void = () => {},
  ): Promise<Up> {
    const child = start(command, { ...this.settings, ...extra });
    this.#running.add(child);
    const ended = once(child, 'exit').finally(() => this.#running.delete(child));
    let said = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      onSaid(said);
    });
    const lines: string[] = [];
    if (child.stdout === null) throw new Error('The program has no pipe for its output.');
    for await (const line of createInterface(child.stdout)) {
      lines.push(line);
      if (LAST_REQUEST.test(line)) return { child, lines, said: () => said, ended };
    }
    throw new Error(`up exited before it was ready: ${said}`);
  }

  /** Starts `up` before the first of several tests. */
  async startShared(command: [string, ...string[]], extra: Settings): Promise<Up> {
    this.#shared = await this.start(command, extra);
    this.#running.delete(this.#shared.child);
    return this.#shared;
  }

  async assertNothingRuns(): Promise<void> {
    // A process that nobody has stopped would end by itself after 25 s.
    const limit = { timeout: 20_000 };
    await expect.poll(() => findEmbeddedPostgres(embeddedDirectory(this.path)), limit).toBeNull();
    for (const port of this.ports) {
      await expect.poll(() => fetch(`http://127.0.0.1:${port}/healthz`).catch(() => null), limit).toBeNull();
    }
    await expect.poll(() => stat(join(this.path, 'up.lock')).catch(() => null), limit).toBeNull();
  }
}

/** Resends the first example request that an `up` has printed, and returns the status. */
export async function askAgain({ lines }: Up): Promise<number> {
  const [line = ''] = lines.filter((each) => each.startsWith('curl '));
  const [, url = '', authorization = ''] = /'(http[^']+)'.*'Authorization: ([^']+)'/.exec(line) ?? [];
  const answer = await fetch(url, { headers: { authorization, 'content-type': 'application/json' } });
  await answer.arrayBuffer();
  return answer.status;
}

/** Counts, by status, the responses that this many readers receive during `work`. Every request must get a response. */
export async function statusesWhile(
  up: Up,
  what: string,
  work: () => Promise<void>,
  readers = 1,
): Promise<Record<string, number>> {
  const begin = performance.now();
  const { answers, waits } = await whileReading(readers, () => askAgain(up), work);
  const seconds = (performance.now() - begin) / 1_000;
  const counts: Record<string, number> = {};
  for (const status of answers) counts[status] = (counts[status] ?? 0) + 1;
  const longest = Math.max(...waits) / 1_000;
  process.stderr.write(
    `${what}: ${JSON.stringify(counts)} in ${seconds.toFixed(1)} s, longest ${longest.toFixed(1)} s\n`,
  );
  return counts;
}

/**
 * Returns the name and the id of each process that a process has started, in order of names. The name is the command of
 * a Milepost process, and the program of any other. On other systems than Linux, finds none.
 */
export async function runningChildren(parent: number | undefined = process.pid) {
  if (process.platform !== 'linux') return [];
  const list = await readFile(`/proc/${parent}/task/${parent}/children`, 'utf8');
  const children = await Promise.all(
    Array.from(list.match(/\d+/g) ?? [], async (pid) => {
      // A process that has just ended has no command line any more.
      const words = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0');
      const name = words[words.findIndex((word) => word.endsWith('milepost.js')) + 1] ?? '';
      return { name, pid: Number(pid) };
    }),
  );
  return children.filter(({ name }) => name !== '').sort((left, right) => left.name.localeCompare(right.name));
}

/** Returns the process id of the PostgreSQL server in a home. */
export async function postmasterOf(home: UpHome): Promise<number> {
  return Number.parseInt(await readFile(join(embeddedDirectory(home.path), 'data', 'postmaster.pid'), 'utf8'), 10);
}
