import { sentenceOf } from '../failure.ts';
import type { SourcePosition } from './log-status.ts';

export interface SourceStatus extends SourcePosition {
  /** Where the source ends; null when nobody could be asked. */
  end_offset: number | null;
  lag: number | null;
}

export const FILE_PREFIX = 'file:';

/** Ends of partitions by `topic/partition`. */
export type EndOffsets = ReadonlyMap<string, number>;

/** Joins where reading has come to with where the sources end. A file was read to its end, so it never lags. */
export function withEndOffsets(sources: readonly SourcePosition[], ends: EndOffsets): SourceStatus[] {
  return sources.map((source) => {
    const { topic, partition, next_offset } = source;
    const end = topic.startsWith(FILE_PREFIX) ? next_offset : (ends.get(`${topic}/${partition}`) ?? null);
    return { ...source, end_offset: end, lag: end === null ? null : Math.max(0, end - next_offset) };
  });
}

/** Asks the brokers where topics end. When they do not answer, says so on stderr and returns nothing. */
export async function readEndOffsets(topics: Iterable<string>): Promise<EndOffsets> {
  const { kafkaClient } = await import('../kafka.ts');
  const { kafka, config } = kafkaClient('silent');
  const admin = kafka.admin({ retry: { retries: 1, initialRetryTime: 200 } });
  const ends = new Map<string, number>();
  try {
    await admin.connect();
    for (const topic of topics) {
      for (const { partition, high } of await admin.fetchTopicOffsets(topic)) {
        ends.set(`${topic}/${partition}`, Number(high));
      }
    }
  } catch (error) {
    process.stderr.write(
      `Kafka at ${config.brokers.join(', ')} does not answer, so lags are unknown: ${sentenceOf(error)}\n`,
    );
  } finally {
    await admin.disconnect().catch(() => {});
  }
  return ends;
}
