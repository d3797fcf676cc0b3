import { describe, expect, it } from 'vitest';
import { untilTestEnds } from '../../support/fixtures.ts';
import { needsKubectl, render } from '../../support/kubernetes/kubectl.ts';
import { environmentOf, type Probe, parseManifests, workloadsOf } from '../../support/kubernetes/objects.ts';
import { ended, start } from '../../support/milepost.ts';
import { Processes } from '../../support/processes.ts';
import { freePorts } from '../../support/services/free-port.ts';

/** A port on which no server listens. */
const UNREACHABLE = '127.0.0.1:1';
const UNREACHED = 'the database is unreachable';
/** The statuses while the database is unreachable. A restart would not help, but the API must not receive requests. */
const STATUSES: Readonly<Record<string, readonly (number | string)[]>> = {
  api: [200, 200, 503],
  ops: [200, 200, 200],
  ingest: [200, 200, UNREACHED],
  projector: [200, 200, UNREACHED],
};

describe('the probes', needsKubectl, () => {
  it.each(Object.entries(STATUSES))(
    'of %s reach the running process, and a database outage does not restart it',
    async (process, statuses) => {
      const manifests = parseManifests(await render('deploy/kubernetes/overlays/small'));
      const workload = workloadsOf(manifests).find(({ name }) => name === process);
      if (workload === undefined) throw new Error(`There is no deployment ${process}.`);
      const { args, ports = [], startupProbe, livenessProbe, readinessProbe } = workload.container;
      const free = await freePorts(ports.length);
      const portOf = new Map(
        ports.map(({ name, containerPort }, index) => [name, { containerPort, own: free[index] }]),
      );
      const replaced = new Map(
        [...portOf.values()].map(({ containerPort, own }) => [String(containerPort), String(own)]),
      );
      const { REDIS_URL: _, ...set } = environmentOf(workload.container, manifests);
      const settings = {
        ...Object.fromEntries(Object.entries(set).map(([name, value]) => [name, replaced.get(value) ?? value])),
        DATABASE_URL: `postgres://login:password@${UNREACHABLE}/milepost`,
        ...('KAFKA_BROKERS' in set ? { KAFKA_BROKERS: UNREACHABLE } : {}),
        SHUTDOWN_DELAY_SECONDS: '0',
      };
      untilTestEnds(new Processes(settings)).start(...args);
      const result = async (probe: Probe | undefined) => {
        if (probe?.exec !== undefined) {
          const [, ...words] = probe.exec.command;
          const { code, stderr } = await ended(start([globalThis.process.execPath, ...words], settings));
          return code === 1 && stderr.includes('ECONNREFUSED') ? UNREACHED : stderr;
        }
        const { path, port } = probe?.httpGet ?? { path: '', port: '' };
        return await fetch(`http://127.0.0.1:${portOf.get(port)?.own}${path}`).then(
          ({ status }) => status,
          () => 'no response',
        );
      };
      await expect.poll(async () => await result(startupProbe)).toBe(statuses[0]);
      expect(await result(livenessProbe)).toBe(statuses[1]);
      expect(await result(readinessProbe)).toBe(statuses[2]);
    },
  );
});
