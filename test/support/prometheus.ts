import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from './milepost.ts';
import { startInDirectory } from './services/directory.ts';
import { freePorts } from './services/free-port.ts';
import { startServerProcess } from './services/local/process.ts';

const RULES = join(ROOT, 'deploy/monitoring/prometheus');

interface Answer<Data> {
  status: string;
  error?: string;
  data: Data;
}

interface Series {
  metric: Record<string, string>;
  value: [number, string];
}

/** Returns functions that read from the API of the Prometheus at `url`. They throw if it rejects a request. */
export function prometheusAt(url: string) {
  /** Returns the data of a resource. */
  const ask = async <Data>(path: string): Promise<Data> => {
    const response = await fetch(`${url}/api/v1/${path}`);
    const { status, error, data }: Answer<Data> = JSON.parse(await response.text());
    if (status !== 'success') throw new Error(`${path}: ${error}`);
    return data;
  };
  /** Returns a query's current result. */
  const query = async (expression: string) =>
    (await ask<{ result: Series[] }>(`query?query=${encodeURIComponent(expression)}`)).result;
  return { ask, query };
}

/** Runs promtool in `deploy/monitoring/prometheus`. If it fails, throws an error with its output. */
export function promtool(...words: string[]): void {
  const { error, status, stdout, stderr } = spawnSync('promtool', words, { cwd: RULES, encoding: 'utf8' });
  if (error) throw error;
  if (status !== 0) throw new Error(stdout + stderr);
}

/** Starts Prometheus with the repository's rules. Every second, it scrapes one address (`host:port`) per job. */
export async function startPrometheus(targets: Readonly<Record<string, string>>) {
  const jobs = Object.entries(targets).map(([job_name, target]) => ({
    job_name,
    static_configs: [{ targets: [target] }],
  }));
  const config = {
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: [join(RULES, 'milepost.rules.yml')],
    scrape_configs: jobs,
  };
  const [port] = await freePorts(1);
  const { stop } = await startInDirectory('prometheus', async (directory) => {
    const file = join(directory, 'prometheus.yml');
    // JSON is valid YAML.
    await writeFile(file, JSON.stringify(config));
    const words = [`--config.file=${file}`, `--storage.tsdb.path=${directory}/data`];
    const address = `--web.listen-address=127.0.0.1:${port}`;
    return await startServerProcess('prometheus', [...words, address], /Server is ready/, directory);
  });
  const { ask, query } = prometheusAt(`http://127.0.0.1:${port}`);
  /** Returns the names of all metrics that the targets describe, including metrics without series. */
  const metricNames = async () => new Set(Object.keys(await ask<Record<string, unknown>>('metadata')));
  return { query, metricNames, stop };
}
