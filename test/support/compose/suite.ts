import { describe, it } from 'vitest';
import { reasonOf } from '../services/services.ts';
import { docker } from './command.ts';

const NODE_IMAGE = 'node:24-bookworm-slim';

/** Why `docker compose up --build` cannot work here, null when it can. */
async function obstacle(): Promise<string | null> {
  try {
    await docker(['version']);
  } catch (error) {
    return `There is no Docker engine: ${reasonOf(error)}`;
  }
  try {
    await docker(['compose', 'version']);
  } catch {
    return 'There is no docker compose: install the plugin (Debian: docker-compose-plugin or docker-compose).';
  }
  try {
    await docker(['image', 'inspect', NODE_IMAGE]).catch(() => docker(['pull', NODE_IMAGE]));
  } catch (error) {
    return `The image ${NODE_IMAGE} is not here and could not be pulled: ${reasonOf(error)}`;
  }
  return null;
}

/**
 * A suite that brings the whole stack up with `docker compose`. Skipped where that is not possible, unless
 * REQUIRE_SERVICES=1 makes it a failure.
 */
export async function describeWithCompose(title: string, body: () => void): Promise<void> {
  const reason = await obstacle();
  if (reason === null) {
    describe(title, body);
  } else if (process.env['REQUIRE_SERVICES'] === '1') {
    it(title, () => {
      throw new Error(`REQUIRE_SERVICES=1, but docker compose cannot be used. ${reason}`);
    });
  } else {
    it.skipIf(true)(`${title} (needs docker compose: ${reason})`, () => {});
  }
}
