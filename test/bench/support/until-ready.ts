import { setTimeout as delay } from 'node:timers/promises';

const ATTEMPTS = 1_200;
const ATTEMPT_MILLISECONDS = 50;

/** Resolves when a URL responds with success. Throws after one minute. */
export async function untilReady(url: string): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const isReady = await fetch(url).then(
      (answer) => answer.ok,
      () => false,
    );
    if (isReady) return;
    await delay(ATTEMPT_MILLISECONDS);
  }
  throw new Error(`${url} did not respond.`);
}
