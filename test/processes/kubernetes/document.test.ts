import { readFileSync } from 'node:fs';
import { copyFile, cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openFolder, perSuite } from '../../support/fixtures.ts';
import { kubectlFolder, needsKubectl, render } from '../../support/kubernetes/kubectl.ts';
import { environmentOf, type Manifest, parseManifests, workloadsOf } from '../../support/kubernetes/objects.ts';
import { ROOT } from '../../support/milepost.ts';
import { Shell } from '../../support/readme/shell.ts';
import { readmeSteps } from '../../support/readme/steps.ts';

const TEXT = readFileSync(join(ROOT, 'docs/kubernetes.md'), 'utf8');
const { devDependencies }: { devDependencies: Record<string, string> } = JSON.parse(
  readFileSync(join(ROOT, 'test/tools/package.json'), 'utf8'),
);
const REFERENCE = /"secretKeyRef":\{"key":"(\w+)","name":"([\w-]+)"\}/g;

describe('docs/kubernetes.md', needsKubectl, () => {
  const folder = perSuite(openFolder);
  const outputs = new Map<string, string>();
  const shell = perSuite(async () => {
    await mkdir(join(folder.path, 'bin'));
    await cp(join(ROOT, 'deploy/kubernetes'), join(folder.path, 'deploy/kubernetes'), { recursive: true });
    await copyFile(join(ROOT, 'test/support/kubernetes/offline-kubectl.sh'), join(folder.path, 'bin/kubectl'));
    const environment = { KUBECTL: join(await kubectlFolder(), 'kubectl'), OWNER_PASSWORD: 'password' };
    const path = `${join(folder.path, 'bin')}:${process.env['PATH']}`;
    const opened = new Shell(folder.path, { ...process.env, ...environment, PATH: path });
    // A block exits with the code of its last command.
    await opened.run("set -E; trap 'failed=yes' ERR");
    return opened;
  });

  /** Returns the objects that a command sends. `words` are part of the command. */
  function sentBy(words: string): Manifest[] {
    const found = outputs.entries().find(([command]) => command.includes(words));
    if (found === undefined) throw new Error(`No command contains: ${words}`);
    // `create` prints no separator between two objects.
    return parseManifests(found[1].replaceAll(/^apiVersion/gm, '---\napiVersion')).filter((each) => each !== null);
  }

  it.each(readmeSteps(TEXT))('contains a command that runs: $command', async ({ command }) => {
    outputs.set(command, await shell.run(`failed=\n${command}\ntest -z "$failed"`));
  });

  it('creates exactly the secrets that the pods need, with their keys', async () => {
    const references = async (name: string) =>
      Array.from(JSON.stringify(parseManifests(await render(`deploy/kubernetes/${name}`))).matchAll(REFERENCE));
    const needed = [...(await references('migrate')), ...(await references('overlays/production'))];
    const created = sentBy('secret milepost-api').flatMap(({ metadata, data = {} }) =>
      Object.keys(data).map((key) => `${metadata.name} ${key}`),
    );
    expect(created.sort()).toEqual(needed.map(([, key, name]) => `${name} ${key}`).sort());
  });

  it("runs the image that it names, with its overlay's settings", () => {
    const manifests = sentBy('kubectl apply --kustomize deploy/kubernetes/overlays/mine').filter(({ kind }) => kind);
    const workloads = workloadsOf(manifests);
    expect(workloads.length).toBeGreaterThan(0);
    const images = new Set(workloads.map(({ container }) => container.image.split(':')[0]));
    expect([...images]).toEqual(['registry.example.org/milepost']);
    const settings = workloads.map(({ container }) => environmentOf(container, manifests)['KAFKA_BROKERS']);
    expect(new Set(settings)).toEqual(new Set([undefined, 'broker.example.org:9092']));
  });

  it('names the versions of the schemas, and the number of connections', async () => {
    for (const name of ['kubernetes-models', '@kubernetes-models/keda', '@kubernetes-models/prometheus-operator'])
      expect(TEXT).toContain(`| \`${name}\` ${devDependencies[name]} |`);
    const operations = readFileSync(join(ROOT, 'docs/operations.md'), 'utf8').replaceAll(/\s+/g, ' ');
    expect(operations).toContain(
      'at most 13 for each `api`, 5 for `ingest`, 4 for `projector` (5 with `METRICS_PORT`)',
    );
    expect(operations).toContain('`ops` uses at most 53');
    const limits: Record<string, number> = { api: 13, ingest: 5, projector: 5, ops: 53 };
    const manifests = parseManifests(await render('deploy/kubernetes/overlays/production'));
    const scaled = manifests.find(({ kind }) => kind === 'ScaledObject')?.spec?.['maxReplicaCount'];
    const connections = workloadsOf(manifests).map(
      ({ name, manifest }) => (limits[name] ?? 0) * (manifest.spec?.replicas ?? Number(scaled)),
    );
    expect(TEXT).toContain(`at most ${connections.reduce((sum, each) => sum + each)} [connections]`);
  });
});
