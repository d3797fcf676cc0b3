import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '@milepost/service';
import { beforeAll, describe, expect, it } from 'vitest';
import { readConfig as readApi } from '../../../apps/api/config.ts';
import { databaseSettings, laneCount, loginPasswords } from '../../../apps/cli/config.ts';
import { settingsOf } from '../../../apps/cli/settings.ts';
import { readConfig as readIngest } from '../../../apps/ingest/config.ts';
import { readConfig as readOps } from '../../../apps/ops/config.ts';
import { readConfig as readProjector } from '../../../apps/projector/config.ts';
import { needsKubectl, render } from '../../support/kubernetes/kubectl.ts';
import {
  environmentOf,
  type Manifest,
  parseManifests,
  selects,
  type Workload,
  workloadsOf,
} from '../../support/kubernetes/objects.ts';
import { strictValidator } from '../../support/kubernetes/schemas.ts';
import { ROOT } from '../../support/milepost.ts';

/** The functions that read each process's settings. They throw if a setting is invalid or does not exist. */
const READERS: Readonly<Record<string, (environment: Environment) => unknown>> = {
  api: readApi,
  ops: readOps,
  ingest: readIngest,
  projector: readProjector,
  migrate: (environment) => [databaseSettings(environment), loginPasswords(environment), laneCount(environment)],
};
const PROCESSES = ['api', 'ingest', 'ops', 'projector'];
const FOLDERS = [
  { folder: 'overlays/small', workloads: PROCESSES },
  { folder: 'overlays/production', workloads: PROCESSES },
  { folder: 'migrate', workloads: ['migrate'] },
];
/** Credentials must come only from secrets. */
const CREDENTIALS = /PASSWORD|TOKEN|SECRET|USERNAME|_URL/;
/** After SHUTDOWN_DELAY_SECONDS, the API has this long to send its last responses. */
const DRAIN_SECONDS = 10;
const MARGIN_SECONDS = 5;
const DATABASE_URL = 'postgres://login:password@database:5432/milepost';

const { version }: { version: string } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const stop = readFileSync(join(ROOT, 'packages/platform/service/stop.ts'), 'utf8');
const EXIT_SECONDS = Number(/MAX_STOP_MILLISECONDS = ([\d_]+)/.exec(stop)?.[1]?.replace('_', '')) / 1_000;

let validate: Awaited<ReturnType<typeof strictValidator>>;
beforeAll(async () => {
  validate = await strictValidator();
});

function ofKind(manifests: readonly Manifest[], kind: string): Manifest[] {
  return manifests.filter((manifest) => manifest.kind === kind);
}

/** Returns a workload's environment, with a value in the correct form for each secret. */
function filledEnvironment({ container }: Workload, manifests: readonly Manifest[]): Record<string, string> {
  const { REDIS_URL, DATABASE_URL: _, ...others } = environmentOf(container, manifests);
  const redis = REDIS_URL === undefined ? {} : { REDIS_URL: 'redis://redis:6379' };
  return { ...others, ...redis, DATABASE_URL };
}

it('the schema check refuses an unknown field, a wrong type, a missing field and an unknown kind', () => {
  const metadata = { name: 'one' };
  const budget = { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata };
  expect(validate({ ...budget, spec: { maxUnavailable: 1 } })).toEqual([]);
  expect(validate({ ...budget, spec: { maxUnavailabel: 1 } }).join()).toContain('maxUnavailabel');
  expect(validate({ ...budget, spec: { maxUnavailable: [1] } }).join()).toContain('/spec/maxUnavailable');
  expect(validate({ apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec: {} }).join()).toContain('selector');
  expect(validate({ apiVersion: 'apps/v2', kind: 'Deployment', metadata })).toEqual([
    'io.k8s.api.apps.v2.Deployment has no schema.',
  ]);
});

describe.each(FOLDERS)('deploy/kubernetes/$folder', needsKubectl, ({ folder, workloads: names }) => {
  let text: string;
  let manifests: Manifest[];
  let workloads: Workload[];
  beforeAll(async () => {
    text = await render(`deploy/kubernetes/${folder}`);
    manifests = parseManifests(text);
    workloads = workloadsOf(manifests);
  });

  it('contains one workload for each process, and each object is valid, in the namespace and unique', () => {
    expect(workloads.map(({ name }) => name).sort()).toEqual(names);
    const faults = manifests.flatMap((each) =>
      validate(each).map((fault) => `${each.kind} ${each.metadata.name}${fault}`),
    );
    expect(faults).toEqual([]);
    const others = manifests.filter(({ kind, metadata }) => kind !== 'Namespace' && metadata.namespace !== 'milepost');
    expect(others.map(({ metadata }) => metadata.name)).toEqual([]);
    const ids = manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    expect(ids).toEqual([...new Set(ids)]);
  });

  it('runs the image of this release', () => {
    expect(new Set(workloads.map(({ container }) => container.image))).toEqual(new Set([`milepost:${version}`]));
  });

  it('sets only settings that the process reads, to valid values, and starts the process by name', () => {
    for (const workload of workloads) {
      const { container, name } = workload;
      expect([container.name, ...container.args]).toEqual([name, name]);
      expect(READERS).toHaveProperty(name);
      READERS[name]?.(filledEnvironment(workload, manifests));
      const known = new Set(settingsOf(name));
      const set = Object.keys(environmentOf(container, manifests));
      expect(set).toContain('DATABASE_URL');
      expect(
        set.filter((each) => !known.has(each)),
        name,
      ).toEqual([]);
    }
  });

  it('contains no credentials, and each process has its own secret', () => {
    expect(ofKind(manifests, 'Secret')).toEqual([]);
    expect(text).not.toMatch(/:\/\/[^\s/]*@/);
    for (const { container, name } of workloads) {
      const { env = [] } = container;
      const plain = env.filter(({ valueFrom }) => valueFrom?.secretKeyRef === undefined).map((each) => each.name);
      expect(plain.filter((each) => CREDENTIALS.test(each))).toEqual([]);
      for (const { name: variable, valueFrom } of env.filter((each) => CREDENTIALS.test(each.name)))
        expect(valueFrom?.secretKeyRef).toMatchObject({ name: `milepost-${name}`, key: variable });
    }
    const maps = ofKind(manifests, 'ConfigMap').flatMap(({ data = {} }) => Object.keys(data));
    expect(maps.filter((each) => CREDENTIALS.test(each))).toEqual([]);
  });

  it('meets the restricted standard for pods, and limits their resources', () => {
    for (const { pod, container, name } of workloads) {
      expect(pod, name).toMatchObject({
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
      });
      expect(pod.containers).toHaveLength(1);
      expect(container, name).toMatchObject({
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        },
        // docs/operations.md promises this maximum.
        resources: { requests: { cpu: expect.anything(), memory: expect.anything() }, limits: { memory: '512Mi' } },
      });
    }
    const [namespace] = ofKind(manifests, 'Namespace');
    expect(namespace?.metadata.labels).toMatchObject({ 'pod-security.kubernetes.io/enforce': 'restricted' });
  });

  it('contains network policies that deny everything else, select existing pods and name existing ports', () => {
    const policies = ofKind(manifests, 'NetworkPolicy');
    const [deny, ...others] = policies.filter(({ spec }) => selects(spec?.podSelector ?? {}, {}));
    expect(deny?.spec).toEqual({ podSelector: {}, policyTypes: ['Ingress', 'Egress'] });
    expect(others).toEqual([]);
    for (const { metadata, spec } of policies) {
      const selected = workloads.filter(({ labels }) => selects(spec?.podSelector ?? {}, labels));
      expect(selected.length, metadata.name).toBeGreaterThan(0);
      const ports = Array.from(JSON.stringify(spec?.['ingress'] ?? []).matchAll(/"port":"(\w+)"/g), ([, port]) => port);
      for (const { container } of selected)
        expect(container.ports?.map(({ name }) => name) ?? []).toEqual(expect.arrayContaining(ports));
    }
    const reached = (name: string) =>
      workloads
        .filter(({ labels }) =>
          policies.some(({ metadata, spec }) => metadata.name === name && selects(spec?.podSelector ?? {}, labels)),
        )
        .map((each) => each.name)
        .sort();
    const using = (setting: string) =>
      workloads.filter(({ container }) => setting in environmentOf(container, manifests)).map((each) => each.name);
    expect(reached('names')).toEqual(names);
    expect(reached('database')).toEqual(using('DATABASE_URL').sort());
    expect(reached('kafka')).toEqual(using('KAFKA_BROKERS').sort());
    expect(reached('redis')).toEqual(using('REDIS_URL').sort());
    expect(reached('metrics')).toEqual(using('METRICS_PORT').sort());
  });

  // A migration is a job.
  if (folder === 'migrate') return;

  describe('the deployments', () => {
    it('select their own pods, and no others', () => {
      for (const { manifest } of workloads) {
        const selected = workloads.filter(({ labels }) => selects(manifest.spec?.selector ?? {}, labels));
        expect(selected.map(({ name }) => name)).toEqual([manifest.metadata.name]);
      }
    });

    it('each have a disruption budget and are spread over zones and nodes', () => {
      for (const { pod, labels, name } of workloads) {
        const budgets = ofKind(manifests, 'PodDisruptionBudget').filter(({ spec }) =>
          selects(spec?.selector ?? {}, labels),
        );
        expect(budgets.map(({ metadata, spec }) => [metadata.name, spec?.['maxUnavailable']])).toEqual([[name, 1]]);
        const { topologySpreadConstraints = [] } = pod;
        const keys = topologySpreadConstraints.map(({ topologyKey }) => topologyKey);
        expect(keys).toEqual(['topology.kubernetes.io/zone', 'kubernetes.io/hostname']);
        for (const { labelSelector } of topologySpreadConstraints) expect(labelSelector.matchLabels).toEqual(labels);
      }
    });

    it('expose the ports in their settings, and have probes on these ports', () => {
      for (const { container, name } of workloads) {
        const { ports = [], startupProbe, livenessProbe, readinessProbe } = container;
        const { PORT, OPS_PORT, METRICS_PORT } = environmentOf(container, manifests);
        const own = name === 'api' ? PORT : OPS_PORT;
        const expected = [
          ...(own === undefined ? [] : [{ name: 'http', containerPort: Number(own) }]),
          ...(METRICS_PORT === undefined ? [] : [{ name: 'metrics', containerPort: Number(METRICS_PORT) }]),
        ];
        expect(ports).toEqual(expected);
        for (const probe of [startupProbe, livenessProbe, readinessProbe]) {
          expect(probe, name).toBeDefined();
          const port = probe?.httpGet?.port;
          if (port !== undefined) expect(ports.map((each) => each.name)).toContain(port);
          else expect(probe?.exec?.command).toEqual(['node', 'deploy/health/main.ts', name]);
        }
      }
    });

    it('are given enough time to stop', () => {
      expect(EXIT_SECONDS).toBe(25);
      for (const { pod, container } of workloads) {
        const { SHUTDOWN_DELAY_SECONDS = '0' } = environmentOf(container, manifests);
        expect(Number(SHUTDOWN_DELAY_SECONDS) + DRAIN_SECONDS).toBeLessThanOrEqual(EXIT_SECONDS);
        expect(pod.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(EXIT_SECONDS + MARGIN_SECONDS);
      }
      const api = workloads.find(({ name }) => name === 'api');
      expect(api && environmentOf(api.container, manifests)).toHaveProperty('SHUTDOWN_DELAY_SECONDS');
    });

    it('provide a service on an existing port for each of the two servers', () => {
      const services = ofKind(manifests, 'Service');
      expect(services.map(({ metadata }) => metadata.name).sort()).toEqual(['api', 'ops']);
      for (const { metadata, spec } of services) {
        const wanted = Object.entries(spec?.selector ?? {});
        const selected = workloads.filter(({ labels }) => wanted.every(([key, value]) => labels[key] === value));
        expect(selected.map(({ name }) => name)).toEqual([metadata.name]);
        const port = selected[0]?.container.ports?.find(({ name }) => name === 'http')?.containerPort;
        expect(spec?.['ports']).toEqual([{ name: 'http', port, targetPort: 'http' }]);
      }
    });
  });
});

describe('deploy/kubernetes/overlays/production', needsKubectl, () => {
  it("scales ingest by its consumer group's lag, and does not set its number of pods elsewhere", async () => {
    const manifests = parseManifests(await render('deploy/kubernetes/overlays/production'));
    const [scaled] = ofKind(manifests, 'ScaledObject');
    expect(scaled?.spec).toMatchObject({ scaleTargetRef: { name: 'ingest' }, triggers: [{ type: 'kafka' }] });
    const ingest = workloadsOf(manifests).find(({ name }) => name === 'ingest');
    expect(ingest?.manifest.spec).not.toHaveProperty('replicas');
    const settings = ingest && environmentOf(ingest.container, manifests);
    const named = Array.from(JSON.stringify(scaled).matchAll(/FromEnv":"(\w+)"/g), ([, name]) => name);
    expect(named).toEqual(['KAFKA_BROKERS', 'KAFKA_GROUP_ID']);
    expect(Object.keys(settings ?? {})).toEqual(expect.arrayContaining(named));
  });

  it('makes Prometheus read the metrics of every process, with the job names that the alerts expect', async () => {
    const manifests = parseManifests(await render('deploy/kubernetes/overlays/production'));
    const jobs = workloadsOf(manifests).flatMap(({ labels, container }) =>
      ofKind(manifests, 'PodMonitor')
        .filter(({ spec }) => selects(spec?.selector ?? {}, labels))
        .map(({ spec }) => {
          const [, port] = /"port":"(\w+)"/.exec(JSON.stringify(spec)) ?? [];
          expect(container.ports?.map(({ name }) => name)).toContain(port);
          const [, job] = /"replacement":"([^"]+)"/.exec(JSON.stringify(spec)) ?? [];
          return job?.replace('$1', labels['app.kubernetes.io/component'] ?? '');
        }),
    );
    expect(jobs.sort()).toEqual(PROCESSES.map((name) => `milepost-${name}`));
  });
});
