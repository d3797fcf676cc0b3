import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { ALERTS } from '../../deploy/monitoring/alerts.ts';
import { DASHBOARDS } from '../../deploy/monitoring/dashboards.ts';
import { startStackPrometheus } from '../support/compose/prometheus.ts';
import { createStack, PASSWORDS } from '../support/compose/stack.ts';
import { describeWithCompose } from '../support/compose/suite.ts';
import { perSuite } from '../support/fixtures.ts';
import { headersOf } from '../support/http.ts';
import { exampleRequests } from '../support/openapi.ts';

const FLEET = 'sunrise-delivery';
const PROCESSES = ['api', 'ingest', 'projector', 'ops'];

/** In a container, prints the roles of the process's login, and whether the process has the operator token. */
const WHO = `
  const { Client } = require('pg');
  const client = new Client(process.env.DATABASE_URL);
  client.connect().then(async () => {
    const text = "SELECT rolname FROM pg_roles WHERE pg_has_role(session_user, oid, 'SET') AND rolname <> session_user";
    const { rows } = await client.query(text);
    console.log(JSON.stringify({ roles: rows.map(({ rolname }) => rolname).sort(), token: 'OPS_TOKEN' in process.env }));
    await client.end();
  });`;

await describeWithCompose('docker compose up --build', () => {
  const stack = perSuite(createStack);
  let key = '';

  beforeAll(async () => {
    await stack.compose('up', '--build', '--detach');
    await stack.until(
      async () => (await stack.inspect('simulate', '{{.State.Status}} {{.State.ExitCode}}')) === 'exited 0',
    );
    await stack.allShown();
    key = await stack.compose('run', '--rm', '-T', 'cli', 'keys', 'create', '--fleet', FLEET);
  });

  it('serves all endpoints with the sample fleet that it ingested from Kafka', async () => {
    const get = async (path: string) => {
      const answer = await fetch(`${stack.url}${path}`, { headers: headersOf(key) });
      const text = await answer.text();
      expect(answer.status, `${path}: ${text.slice(0, 300)}`).toBe(200);
      return JSON.parse(text);
    };
    expect((await get('/api/v1/drivers')).count).toBe(40);
    const examples = exampleRequests(await get('/openapi.json'));
    expect(examples).toHaveLength(6);
    const oldest = `SELECT replace(trip_id::text, '-', '') || ' ' || tracking_id FROM milepost.trips
      WHERE tracking_id IS NOT NULL ORDER BY trip_end_time LIMIT 1`;
    const ids = (await stack.exec('postgres', 'psql', '-U', 'milepost', '-tAc', oldest)).split(' ');
    const [tripId = '', trackingId = ''] = ids.map(encodeURIComponent);
    let bodies = '';
    for (const example of examples) {
      // The document's examples of these two ids are from the fleet that `up` loads.
      const path = example.replace(/(?<=trip_id\/)[^?]+/, tripId).replace(/(?<=tracking_id\/)[^?]+/, trackingId);
      const body = await get(path);
      const { trips = [{}], data = [{}], drivers = [{}] } = body;
      expect([trips.length, data.length, drivers.length], path).not.toContain(0);
      bodies += JSON.stringify(body);
    }
    // There is a summary even for a driver without trips, and a trip may have no trail.
    expect(bodies).toMatch(/"trip_count":[1-9]/);
    expect(bodies).toMatch(/"trail_path":\[[^\]]/);
  });

  it('runs an image without a package manager for JavaScript, as a user without privileges', async () => {
    const command = 'id --user; command -v npm npx corepack yarn || true';
    const output = await stack.compose('run', '--rm', '-T', '--no-deps', '--entrypoint', 'sh', 'api', '-c', command);
    expect(output.trim()).toBe('1000');
  });

  it('builds only one image', async () => {
    const { services } = JSON.parse(await stack.compose('config', '--format', 'json'));
    expect(Object.keys(services).filter((name) => 'build' in services[name])).toEqual(['migrate']);
  });

  it('serves operators with the token, and Prometheus', async () => {
    const headers = { authorization: `Bearer ${stack.opsToken}` };
    const status = await fetch(`${stack.opsUrl}/status`, { headers });
    expect(status.status).toBe(200);
    expect(await status.json()).toMatchObject({ dead_letters: expect.any(Number), ingest: 'running' });
    expect((await fetch(`${stack.opsUrl}/status`)).status).toBe(401);
    expect(await (await fetch(`${stack.opsUrl}/metrics`)).text()).toMatch(/^milepost_up 1$/m);
  });

  it('starts, with the profile monitoring, a Prometheus that reads every process and has all alerts', async () => {
    const prometheus = await startStackPrometheus(stack);
    const all = PROCESSES.map((name) => `milepost-${name}`).sort();
    await stack.until(async () => (await prometheus.jobs('up==1')).length === all.length);
    // If there were a target for the `cluster` profile, it would be down, and its alert would fire.
    expect(await prometheus.jobs('up')).toEqual(all);
    const { groups } = await prometheus.ask<{ groups: { rules: { name: string }[] }[] }>('rules');
    expect(groups.flatMap(({ rules }) => rules.map(({ name }) => name))).toEqual(ALERTS.map(({ name }) => name));
  });

  it('gives Grafana the folders of its data source and of all dashboards', async () => {
    const { services } = JSON.parse(await stack.compose('--profile', 'monitoring', 'config', '--format', 'json'));
    const mounts: { source: string; target: string }[] = services.grafana.volumes;
    const filesAt = async (path: string) => {
      const { source, target } = mounts.find((mount) => path.startsWith(mount.target)) ?? { source: '', target: path };
      return (await readdir(join(source, path.slice(target.length)))).sort();
    };
    expect(await filesAt('/etc/grafana/provisioning')).toEqual(['dashboards', 'datasources']);
    const [file = ''] = await filesAt('/etc/grafana/provisioning/dashboards');
    const provider = parse(await readFile(join('deploy/monitoring/provisioning/dashboards', file), 'utf8'));
    const dashboards = await filesAt(provider.providers[0].options.path);
    expect(dashboards).toEqual(DASHBOARDS.map(({ id }) => `${id}.json`).sort());
  });

  it.each([
    ['api', ['milepost_api'], false],
    ['ingest', ['milepost_ingest'], false],
    ['projector', ['milepost_projector'], false],
    ['ops', ['milepost_eraser', 'milepost_ingest', 'milepost_operator', 'milepost_projector'], true],
  ])(
    'runs a healthy %s without privileges, on a read-only file system, with only the roles %j',
    async (service, ...who) => {
      const [roles, token] = who;
      expect(Number(await stack.exec(service, 'id', '-u'))).toBeGreaterThan(0);
      const status = await stack.exec(service, 'cat', '/proc/1/status');
      expect(status).toMatch(/^CapEff:\s0+$/m);
      expect(status).toMatch(/^NoNewPrivs:\s1$/m);
      await expect(stack.exec(service, 'touch', '/app/written')).rejects.toThrow('Read-only file system');
      expect(JSON.parse(await stack.exec(service, 'node', '-e', WHO))).toEqual({ roles, token });
      await stack.until(async () => (await stack.inspect(service, '{{.State.Health.Status}}')) === 'healthy');
      expect(await stack.inspect(service, '{{.RestartCount}}')).toBe('0');
    },
  );

  it.each(PASSWORDS)('has no default for %s, and says how to create it', async (name) => {
    await expect(stack.composedWithout(name)).rejects.toThrow(new RegExp(`${name}.*docker-compose\\.yml`));
  });

  it('reports a stalled projector as unhealthy', async () => {
    const check = () => stack.exec('projector', 'node', 'deploy/health/main.ts', 'projector');
    // -1 stands for all processes except the first process and the shell itself.
    await stack.exec('projector', 'sh', '-c', 'kill -STOP -1');
    try {
      const simulate = ['simulate', '--drivers', '5', '--days', '3', '--fleet', 'other', '--kafka'];
      await stack.compose('run', '--rm', '-T', 'cli', ...simulate);
      await stack.until(async () => (await stack.status()).projections.some(({ lag_events }) => lag_events > 0));
      await check().catch(() => {});
      await expect(check()).rejects.toThrow('stalled since the last check');
    } finally {
      await stack.exec('projector', 'sh', '-c', 'kill -CONT -1');
    }
    await stack.allShown();
    await check();
  });

  it('does not publish the sample fleet again if the log is not empty', async () => {
    const published = await stack.published();
    await stack.compose('up', '--detach', 'simulate');
    await stack.until(async () => (await stack.inspect('simulate', '{{.State.Status}}')) === 'exited');
    expect(await stack.published()).toBe(published);
  });

  it('ends every process with exit code 0 on SIGTERM', async () => {
    await stack.compose('stop', ...PROCESSES);
    for (const service of PROCESSES) {
      expect(`${service} ${await stack.inspect(service, '{{.State.ExitCode}}')}`).toBe(`${service} 0`);
    }
  });
});
