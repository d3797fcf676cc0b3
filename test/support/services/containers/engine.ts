import { setTimeout as delay } from 'node:timers/promises';
import { type ContainerRuntimeClient, getContainerRuntimeClient, ImageName } from 'testcontainers';
import { reasonOf } from '../services.ts';
import { KAFKA_IMAGE, POSTGRES_IMAGE, REDIS_IMAGE } from './images.ts';

const ENGINE_TIMEOUT_MILLISECONDS = 1_000;
const PULL_TIMEOUT_MILLISECONDS = 300_000;
const RYUK_PULL_TIMEOUT_MILLISECONDS = 20_000;
/** The image that testcontainers uses unless RYUK_CONTAINER_IMAGE names another. */
const RYUK_IMAGE = 'testcontainers/ryuk:0.14.0';

async function within<Result>(milliseconds: number, work: Promise<Result>, message: string): Promise<Result> {
  const timeout = delay(milliseconds, undefined, { ref: false }).then(() => Promise.reject(new Error(message)));
  return await Promise.race([work, timeout]);
}

async function engine(): Promise<ContainerRuntimeClient> {
  const message = `No Docker engine answered within ${ENGINE_TIMEOUT_MILLISECONDS} ms.`;
  return await within(ENGINE_TIMEOUT_MILLISECONDS, getContainerRuntimeClient(), message).catch((error: unknown) => {
    throw new Error(`No Docker engine is available: ${reasonOf(error)}`);
  });
}

async function ensureImage(client: ContainerRuntimeClient, name: string, milliseconds: number): Promise<void> {
  const image = ImageName.fromString(name);
  if (await client.image.exists(image)) return;
  await within(milliseconds, client.image.pull(image), 'it took too long').catch((error: unknown) => {
    throw new Error(`The image ${name} is not present and cannot be pulled: ${reasonOf(error)}`);
  });
}

/** Rejects if there is no engine, or if an image is not present and cannot be pulled. */
export async function prepareEngine(): Promise<void> {
  const client = await engine();
  const images = [POSTGRES_IMAGE, KAFKA_IMAGE, REDIS_IMAGE];
  await Promise.all(images.map((name) => ensureImage(client, name, PULL_TIMEOUT_MILLISECONDS)));
  // If ryuk is enabled but its image is missing, no container starts. Without ryuk, our own guard removes containers.
  const ryuk = process.env['RYUK_CONTAINER_IMAGE'] ?? RYUK_IMAGE;
  await ensureImage(client, ryuk, RYUK_PULL_TIMEOUT_MILLISECONDS).catch(() => {
    process.env['TESTCONTAINERS_RYUK_DISABLED'] = 'true';
  });
}

/** Returns the IP address at which ports are published. The client and the server might resolve a name differently. */
export async function engineHost(): Promise<string> {
  const { host } = (await engine()).info.containerRuntime;
  return host === 'localhost' ? '127.0.0.1' : host;
}
