// Writes the rules for Prometheus and the dashboards for Grafana: node deploy/monitoring/main.ts [URL of docs/runbooks]
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { monitoringFiles } from './render.ts';

const [, , runbooks] = process.argv;

for (const [path, content] of Object.entries(monitoringFiles(runbooks))) {
  const file = join(import.meta.dirname, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}
