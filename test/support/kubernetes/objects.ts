import { parseAllDocuments } from 'yaml';

type Labels = Record<string, string>;

interface Selector {
  matchLabels?: Labels;
  matchExpressions?: { key: string; operator: string; values: string[] }[];
}

export interface Probe {
  httpGet?: { path: string; port: string };
  exec?: { command: string[] };
}

interface Variable {
  name: string;
  value?: string;
  valueFrom?: { secretKeyRef?: { name: string; key: string } };
}

interface Container {
  name: string;
  image: string;
  args: string[];
  ports?: { name: string; containerPort: number }[];
  env?: Variable[];
  envFrom?: { configMapRef?: { name: string } }[];
  startupProbe?: Probe;
  livenessProbe?: Probe;
  readinessProbe?: Probe;
  resources?: unknown;
  securityContext?: unknown;
}

interface Pod {
  terminationGracePeriodSeconds?: number;
  topologySpreadConstraints?: { topologyKey: string; labelSelector: Selector }[];
  containers: Container[];
  [field: string]: unknown;
}

/** The fields that the tests read in objects of any kind. */
export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; labels?: Labels };
  data?: Record<string, string>;
  spec?: {
    replicas?: number;
    selector?: Selector;
    podSelector?: Selector;
    template?: { metadata: { labels: Labels }; spec: Pod };
    [field: string]: unknown;
  };
}

/** A Deployment or a Job, and the pod that it starts. */
export type Workload = ReturnType<typeof workloadsOf>[number];

/** Parses the output of kustomize. */
export function parseManifests(text: string): Manifest[] {
  return parseAllDocuments(text).map((document): Manifest => document.toJS());
}

/** Returns everything that starts pods. */
export function workloadsOf(manifests: readonly Manifest[]) {
  return manifests.flatMap((manifest) => {
    const { template } = manifest.spec ?? {};
    const [container] = template?.spec.containers ?? [];
    if (template === undefined || container === undefined) return [];
    const { metadata, spec: pod } = template;
    return [{ manifest, name: manifest.metadata.name, labels: metadata.labels, pod, container }];
  });
}

/** Returns whether a selector selects these labels. */
export function selects({ matchLabels = {}, matchExpressions = [] }: Selector, labels: Labels): boolean {
  const isEqual = Object.entries(matchLabels).every(([key, value]) => labels[key] === value);
  return isEqual && matchExpressions.every(({ key, values }) => values.includes(labels[key] ?? ''));
}

/** Returns a container's environment. Settings from secrets have no value here. */
export function environmentOf(
  { env = [], envFrom = [] }: Container,
  manifests: readonly Manifest[],
): Record<string, string> {
  const inherited = envFrom.flatMap(({ configMapRef }) => {
    const map = manifests.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === configMapRef?.name);
    if (map === undefined) throw new Error(`There is no ConfigMap ${configMapRef?.name}.`);
    return Object.entries(map.data ?? {});
  });
  return Object.fromEntries([...inherited, ...env.map(({ name, value = '' }) => [name, value] as const)]);
}
