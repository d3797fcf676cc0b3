import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { startStackPrometheus } from '../support/compose/prometheus.ts';
import { createStack } from '../support/compose/stack.ts';
import { describeWithCompose } from '../support/compose/suite.ts';
import { perSuite } from '../support/fixtures.ts';
import { headersOf } from '../support/http.ts';
import { ROOT } from '../support/milepost.ts';
import { Shell } from '../support/readme/shell.ts';
import { readmeSteps } from '../support/readme/steps.ts';

const FLEETS = ['north', 'east', 'south', 'west', 'middle'];
const DRIVERS = 3;
const OPS = 'cluster-ops';
const API_PORT = '3000';

const LANES = readFileSync(join(ROOT, 'docs/lanes.md'), 'utf8');
const [, section = ''] = /^## A Citus cluster$(.*?)^## /ms.exec(LANES) ?? [];
const commands = readmeSteps(section).map(({ command }) => command);

interface Fleet {
  fleet_id: string;
  lane: number;
}

await describeWithCompose('the cluster profile of docker-compose.yml', () => {
  const stack = perSuite(createStack);
  const cli = async (...words: string[]) => await stack.exec(OPS, 'milepost', ...words);

  beforeAll(async () => {
    const shell = new Shell(ROOT, { ...process.env, ...stack.environment });
    for (const command of commands) await shell.run(command);
    await shell.end();
  });

  it('runs two processes of each kind, and ops, after the commands in the document', async () => {
    const services = (await stack.compose('ps', '--format', '{{.Service}}')).split('\n').sort();
    const doubled = ['cluster-api', 'cluster-ingest', 'cluster-projector'].flatMap((name) => [name, name]);
    const nodes = ['coordinator', 'kafka-1', 'kafka-2', 'kafka-3', 'redis', 'worker-1', 'worker-2'];
    expect(services).toEqual([...doubled, OPS, ...nodes].sort());
    const owners = `SELECT string_agg(DISTINCT nodename, ' ' ORDER BY nodename) FROM citus_shards`;
    expect(await stack.exec('coordinator', 'psql', '-U', 'milepost', '-tAc', owners)).toBe('worker-1 worker-2');
  });

  it('serves fleets in different lanes from both APIs', async () => {
    for (const fleet of FLEETS)
      await cli('simulate', '--drivers', String(DRIVERS), '--days', '3', '--fleet', fleet, '--kafka');
    await stack.allShown(OPS, 'kafka-1');
    const fleets: Fleet[] = JSON.parse(await cli('fleets', 'list', '--json'));
    const lanes = fleets.flatMap(({ fleet_id, lane }) => (FLEETS.includes(fleet_id) ? [lane] : []));
    expect(lanes).toHaveLength(FLEETS.length);
    expect(new Set(lanes).size).toBeGreaterThan(1);
    for (const fleet of FLEETS) {
      const headers = headersOf(await cli('keys', 'create', '--fleet', fleet));
      for (const index of ['1', '2']) {
        const address = await stack.compose('port', '--index', index, 'cluster-api', API_PORT);
        const answer = await fetch(`http://${address}/api/v1/drivers`, { headers });
        expect(await answer.json(), fleet).toMatchObject({ count: DRIVERS });
      }
    }
  }, 900_000);

  it('lets Prometheus in the profile monitoring read every process', async () => {
    const prometheus = await startStackPrometheus(stack);
    const doubled = ['milepost-api', 'milepost-ingest', 'milepost-projector'].flatMap((job) => [job, job]);
    const all = [...doubled, 'milepost-ops'].sort();
    await stack.until(async () => (await prometheus.jobs('up==1')).length === all.length);
    expect(await prometheus.jobs('up==1')).toEqual(all);
  });
});
