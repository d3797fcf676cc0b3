import type { Consumer } from 'kafkajs';
import { FetchLimit } from './fetch-queue.ts';
import { Partition, type PartitionOptions } from './partition.ts';

interface AssignmentsOptions extends Omit<PartitionOptions, 'limit'> {
  consumer: Consumer;
  /** Called when a partition fails with an error that a pause cannot resolve. */
  onFailure: (error: unknown, partition: Partition) => Promise<void>;
}

/** The partitions that the group assigns to this process. Each assignment replaces the one before it. */
export class Assignments {
  readonly #options: AssignmentsOptions;
  partitions: readonly Partition[] = [];
  limit: FetchLimit;
  #current = new AbortController();
  #running: Promise<unknown> = Promise.resolve();

  constructor(options: AssignmentsOptions) {
    this.#options = options;
    this.limit = this.#newLimit();
  }

  /** Ends the previous assignment and reads the new one. */
  replace(memberAssignment: Record<string, number[]>): void {
    const { consumer, onFailure, ...shared } = this.#options;
    this.#current.abort();
    this.#current = new AbortController();
    this.limit = this.#newLimit();
    const options = { ...shared, limit: this.limit, signal: AbortSignal.any([shared.signal, this.#current.signal]) };
    this.partitions = Object.entries(memberAssignment).flatMap(([topic, numbers]) => {
      // Each partition is paused until it is claimed, because the claim determines the offset.
      consumer.pause([{ topic, partitions: numbers }]);
      return numbers.map((number) => new Partition(topic, number, options));
    });
    const run = async (partition: Partition) =>
      await partition.run().catch(async (error: unknown) => await onFailure(error, partition));
    // The next consumer must not claim a partition while an ended assignment is still claiming it.
    this.#running = Promise.all([this.#running, ...this.partitions.map(run)]);
  }

  find(topic: string, number: number): Partition | undefined {
    return this.partitions.find((candidate) => candidate.topic === topic && candidate.partition === number);
  }

  /**
   * Ends the current assignment. Resolves when no partition is running any more, not even one of an earlier assignment.
   */
  async end(): Promise<void> {
    this.#current.abort();
    await this.#running;
  }

  #newLimit(): FetchLimit {
    return new FetchLimit(this.#options.consumer, () => this.#options.metrics?.countPause());
  }
}
