import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { docker } from './command.ts';

const COMPOSE = join(import.meta.dirname, '../../../docker-compose.yml');

/**
 * Makes the Prometheus image of docker-compose.yml available. If the image is not present and cannot be pulled, gives
 * its name to an image with Debian's Prometheus.
 *
 * @returns a function that removes this image, so that a later run pulls the official one
 */
export async function preparePrometheus(): Promise<() => Promise<void>> {
  // Every process of the two stacks uses the anchors, which exceeds the default limit on aliases.
  const { image } = parse(readFileSync(COMPOSE, 'utf8'), { merge: true, maxAliasCount: -1 }).services.prometheus;
  try {
    await docker(['image', 'inspect', image]).catch(() => docker(['pull', image]));
    return async () => {};
  } catch {
    await docker(['build', '--tag', image, join(import.meta.dirname, 'prometheus')]);
    return async () => void (await docker(['image', 'rm', '--force', image]));
  }
}
