import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { ROOT } from './milepost.ts';
import { freePorts } from './services/free-port.ts';
import { guardProcess } from './services/guard.ts';

const RULES = join(ROOT, 'deploy/monitoring/prometheus');

interface QueryResult {
  status: string;
  error?: string;
  data: { result: { metric: Record<string, string>; value: [number, string] }[] };
}

/** Runs promtool in `deploy/monitoring/prometheus`. If it fails, throws an error with its output. */
export function promtool(...words: string[]): void {
  const { error, status, stdout, stderr } = spawnSync('promtool', words, { cwd: RULES, encoding: 'utf8' });
  if (error) throw error;
  if (status !== 0) throw new Error(stdout + stderr);
}

/** A Prometheus that scrapes every second. */
export class Prometheus {
  readonly #origin: string;
  readonly #child: ChildProcess;
  readonly #folder: string;

  private constructor(origin: string, child: ChildProcess, folder: string) {
    this.#origin = origin;
    this.#child = child;
    this.#folder = folder;
  }

  /** Starts Prometheus with the repository's rules. It scrapes one address (`host:port`) per job. */
  static async start(targets: Readonly<Record<string, string>>): Promise<Prometheus> {
    const folder = await mkdtemp(join(tmpdir(), 'milepost-prometheus-'));
    const jobs = Object.entries(targets).map(([job_name, target]) => ({
      job_name,
      static_configs: [{ targets: [target] }],
    }));
    const config = {
      global: { scrape_interval: '1s', evaluation_interval: '1s' },
      rule_files: [join(RULES, 'milepost.rules.yml')],
      scrape_configs: jobs,
    };
    const file = join(folder, 'prometheus.yml');
    // JSON is valid YAML.
    await writeFile(file, JSON.stringify(config));
    const [port] = await freePorts(1);
    const words = [`--config.file=${file}`, `--storage.tsdb.path=${folder}/data`, '--log.level=warn'];
    const child = spawn('prometheus', [...words, `--web.listen-address=127.0.0.1:${port}`], { stdio: 'ignore' });
    guardProcess(child);
    await once(child, 'spawn');
    const prometheus = new Prometheus(`http://127.0.0.1:${port}`, child, folder);
    const isReady = async () =>
      await fetch(`${prometheus.#origin}/-/ready`).then(
        ({ ok }) => ok,
        () => false,
      );
    await expect.poll(isReady).toBe(true);
    return prometheus;
  }

  /** Returns a query's current result. Throws if Prometheus rejects the query. */
  async query(expression: string): Promise<QueryResult['data']['result']> {
    const answer = await fetch(`${this.#origin}/api/v1/query?query=${encodeURIComponent(expression)}`);
    const { status, error, data }: QueryResult = JSON.parse(await answer.text());
    if (status !== 'success') throw new Error(`${expression}: ${error}`);
    return data.result;
  }

  /** Returns the names of all metrics that the targets describe, including metrics without series. */
  async metricNames(): Promise<Set<string>> {
    const answer = await fetch(`${this.#origin}/api/v1/metadata`);
    const { data }: { data: Record<string, unknown> } = JSON.parse(await answer.text());
    return new Set(Object.keys(data));
  }

  async stop(): Promise<void> {
    const exited = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await exited;
    await rm(this.#folder, { recursive: true, force: true });
  }
}
