import { describe } from 'vitest';
import { unless } from '../programs.ts';
import { reasonOf } from '../services/services.ts';
import { docker } from './command.ts';

/** The Dockerfile's base images. */
const IMAGES = ['node:24-bookworm-slim', 'debian:bookworm-slim'];

/** Returns why `docker compose up --build` cannot work here, or null if it can. */
async function obstacle(): Promise<string | null> {
  try {
    await docker(['version']);
  } catch (error) {
    return `No Docker engine is available: ${reasonOf(error)}`;
  }
  try {
    await docker(['compose', 'version']);
  } catch {
    return 'docker compose is not installed: install the plugin (Debian: docker-compose-plugin or docker-compose).';
  }
  for (const image of IMAGES) {
    try {
      await docker(['image', 'inspect', image]).catch(() => docker(['pull', image]));
    } catch (error) {
      return `The image ${image} is not present and cannot be pulled: ${reasonOf(error)}`;
    }
  }
  return null;
}

/** Declares a suite that starts the whole stack with `docker compose`. The suite is skipped if that is impossible. */
export async function describeWithCompose(title: string, body: () => void): Promise<void> {
  const reason = await obstacle();
  describe(title, unless(reason === null ? null : `docker compose: ${reason}`), body);
}
