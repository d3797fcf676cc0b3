import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from './milepost.ts';
import { startInDirectory } from './services/directory.ts';
import { freePorts } from './services/free-port.ts';
import { startServerProcess } from './services/local/process.ts';

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
interface Prometheus {
  /** Returns a query's current result. Throws if Prometheus rejects the query. */
  query: (expression: string) => Promise<QueryResult['data']['result']>;
  /** Returns the names of all metrics that the targets describe, including metrics without series. */
  metricNames: () => Promise<Set<string>>;
  stop: () => Promise<void>;
}

/** Starts Prometheus with the repository's rules. It scrapes one address (`host:port`) per job. */
export async function startPrometheus(targets: Readonly<Record<string, string>>): Promise<Prometheus> {
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
  const ask = async (path: string) => (await fetch(`http://127.0.0.1:${port}/api/v1/${path}`)).text();
  return {
    query: async (expression) => {
      const answer: QueryResult = JSON.parse(await ask(`query?query=${encodeURIComponent(expression)}`));
      if (answer.status !== 'success') throw new Error(`${expression}: ${answer.error}`);
      return answer.data.result;
    },
    metricNames: async () => {
      const { data }: { data: Record<string, unknown> } = JSON.parse(await ask('metadata'));
      return new Set(Object.keys(data));
    },
    stop,
  };
}
