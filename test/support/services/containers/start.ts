import type { StartedTestContainer, TestContainer } from 'testcontainers';
import { guard } from '../guard.ts';
import type { Started } from '../services.ts';

/** Work that takes seconds on an idle machine can take minutes on a busy one. */
const STARTUP_TIMEOUT_MILLISECONDS = 240_000;

/** Starts a container that is removed when this process ends, no matter how it ends. */
export async function startContainer<Address>(
  container: TestContainer,
  address: (started: StartedTestContainer) => Address,
): Promise<Started<Address>> {
  const started = await container.withStartupTimeout(STARTUP_TIMEOUT_MILLISECONDS).start();
  const release = guard(['docker', 'rm', '--force', '--volumes', started.getId()]);
  return {
    address: address(started),
    stop: async () => {
      await started.stop({ timeout: 0, remove: true, removeVolumes: true });
      release();
    },
  };
}
