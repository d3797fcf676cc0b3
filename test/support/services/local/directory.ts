import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Creates a temporary directory for one service of one run. */
export async function temporaryDirectory(service: string): Promise<string> {
  return await mkdtemp(join(tmpdir(), `milepost-test-${service}-`));
}

export async function removeDirectory(directory: string): Promise<void> {
  await rm(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}
