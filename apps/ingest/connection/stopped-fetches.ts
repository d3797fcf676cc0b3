import { createRequire } from 'node:module';

/** The part of the Kafka client that repeats the fetches of a consumer. */
interface Runner {
  running: boolean;
  fetch: (nodeId: number) => Promise<unknown>;
}

const RUNNER = 'kafkajs/src/consumer/runner';

let isInstalled = false;

/**
 * Makes each fetch of a stopped consumer fail. The client itself would immediately return an empty result. If a
 * consumer is stopped while the client replaces the fetches of a lost broker, it would repeat such fetches forever and
 * block the event loop. The client has no option for this, so its method is replaced.
 */
export function installStoppedFetches(): void {
  if (isInstalled) return;
  const { prototype }: { prototype: Runner } = createRequire(import.meta.url)(RUNNER);
  const { fetch } = prototype;
  if (typeof fetch !== 'function') throw new Error(`The Kafka client's ${RUNNER} has no fetch: install kafkajs 2.2.`);
  prototype.fetch = async function (nodeId) {
    if (!this.running) throw new Error('The consumer is stopped.');
    return await fetch.call(this, nodeId);
  };
  isInstalled = true;
}
