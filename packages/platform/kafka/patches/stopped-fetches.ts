/** The part of the Kafka client that repeats a consumer's fetches. */
interface Runner {
  running: boolean;
  fetch: (nodeId: number) => Promise<unknown>;
}

/** Makes each fetch of a stopped consumer fail. The client itself would immediately return an empty result. */
export function failStoppedFetches(runner: Runner): void {
  const { fetch } = runner;
  if (typeof fetch !== 'function') throw new Error("The Kafka client's runner has no fetch: install kafkajs 2.2.");
  runner.fetch = async function (nodeId) {
    if (!this.running) throw new Error('The consumer is stopped.');
    return await fetch.call(this, nodeId);
  };
}
