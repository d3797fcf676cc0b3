import { join } from 'node:path';
import { execute } from '../execute.ts';
import { ROOT } from '../milepost.ts';
import { unless } from '../programs.ts';
import { unpackDebian13 } from '../services/field/debian.ts';

/** Debian 12 provides kubectl 1.20, whose kustomize 2 supports neither components nor patches. */
const MIN_KUSTOMIZE = 5;

async function kustomizeOf(program: string): Promise<number> {
  const { stdout } = await execute(program, ['version', '--client', '--output=json']);
  const { kustomizeVersion }: { kustomizeVersion?: string } = JSON.parse(stdout);
  return Number.parseInt(kustomizeVersion?.slice(1) ?? '0', 10);
}

/** Returns the folder of a `kubectl` with kustomize 5 or later: either the installed one or Debian 13's. */
export async function kubectlFolder(): Promise<string> {
  if ((await kustomizeOf('kubectl').catch(() => 0)) >= MIN_KUSTOMIZE) {
    const { stdout } = await execute('sh', ['-c', 'dirname "$(command -v kubectl)"']);
    return stdout.trim();
  }
  return join(await unpackDebian13('kubectl', ['kubectl']), 'usr/bin');
}

/** Renders a kustomize folder as YAML. */
export async function render(folder: string): Promise<string> {
  const { stdout, stderr } = await execute(join(await kubectlFolder(), 'kubectl'), ['kustomize', folder], {
    cwd: ROOT,
  });
  if (stderr !== '') throw new Error(stderr);
  return stdout;
}

/** The options for a suite that needs kubectl. */
export const needsKubectl = unless(
  await kubectlFolder().then(
    () => null,
    () => 'kubectl: install kubectl 1.27 or newer',
  ),
);
