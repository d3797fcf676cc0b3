import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string) => parse(readFileSync(join(ROOT, path), 'utf8'), { merge: true, maxAliasCount: -1 });

interface Service {
  command?: string[];
  profiles?: string[];
  environment?: Record<string, unknown>;
}

interface Job {
  job_name: string;
  static_configs: { targets: string[] }[];
  dns_sd_configs: { names: string[]; type: string; port: number }[];
}

/** Returns the addresses of a profile's processes in docker-compose.yml, keyed by Prometheus job. */
function addressesIn(profile: string | undefined): Map<string, string[]> {
  const services: Record<string, Service> = read('docker-compose.yml').services;
  const jobs = new Map<string, string[]>();
  for (const [name, { command, profiles, environment }] of Object.entries(services)) {
    const [process = ''] = command ?? [];
    if (!['api', 'ingest', 'projector', 'ops'].includes(process) || profiles?.[0] !== profile) continue;
    const port = process === 'ops' ? environment?.['OPS_PORT'] : environment?.['METRICS_PORT'];
    jobs.set(`milepost-${process}`, [...(jobs.get(`milepost-${process}`) ?? []), `${name}:${port}`]);
  }
  return jobs;
}

const jobs: Job[] = read('deploy/monitoring/prometheus/prometheus.yml').scrape_configs;

it('Prometheus always has a target for each process of the default profile, so that an alert fires when it is stopped', () => {
  const targets = jobs.map(({ job_name, static_configs }) => [
    job_name,
    static_configs.flatMap((config) => config.targets),
  ]);
  expect(Object.fromEntries(targets)).toEqual(Object.fromEntries(addressesIn(undefined)));
});

// Without the profile, a static target would be down, and its alert would fire. A name can have several addresses.
it('Prometheus finds each process in the `cluster` profile by the name of its service', () => {
  const names = jobs.map(({ job_name, dns_sd_configs }) => [
    job_name,
    dns_sd_configs.flatMap((config) => config.names.map((name) => `${name}:${config.port}`)),
  ]);
  expect(Object.fromEntries(names)).toEqual(Object.fromEntries(addressesIn('cluster')));
});
