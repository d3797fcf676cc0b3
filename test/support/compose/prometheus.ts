import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { prometheusAt } from '../prometheus.ts';
import { docker } from './command.ts';
import type { Stack } from './stack.ts';

const COMPOSE = join(import.meta.dirname, '../../../docker-compose.yml');

/**
 * Makes the Prometheus image in docker-compose.yml available. If it is not present and cannot be pulled, builds an
 * image with Debian's Prometheus under the same name.
 *
 * @returns a function that removes this substitute, so that a later run pulls the official image
 */
async function preparePrometheus(): Promise<() => Promise<void>> {
  // Every process in the two stacks uses YAML aliases, so the file contains more aliases than the default limit allows.
  const { image } = parse(readFileSync(COMPOSE, 'utf8'), { merge: true, maxAliasCount: -1 }).services.prometheus;
  try {
    await docker(['image', 'inspect', image]).catch(() => docker(['pull', image]));
    return async () => {};
  } catch {
    await docker(['build', '--tag', image, join(import.meta.dirname, 'prometheus')]);
    return async () => void (await docker(['image', 'rm', '--force', image]));
  }
}

/** Starts a stack's Prometheus without the services in the default profile. It runs until the test ends. */
export async function startStackPrometheus(stack: Stack) {
  const removeImage = await preparePrometheus();
  onTestFinished(async () => {
    await stack.compose('--profile', 'monitoring', 'rm', '--force', '--stop', 'prometheus');
    await removeImage();
  });
  await stack.compose('--profile', 'monitoring', 'up', '--detach', '--no-deps', 'prometheus');
  const { ask, query } = prometheusAt(stack.prometheusUrl);
  /** Returns the `job` labels of a query's series, sorted; none while Prometheus is not responding. */
  const jobs = async (expression: string): Promise<string[]> =>
    (await query(expression).catch(() => [])).map(({ metric }) => metric['job'] ?? '').sort();
  return { ask, jobs };
}
