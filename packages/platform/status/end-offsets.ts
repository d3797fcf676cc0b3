import { isTopic } from '@milepost/domain/ids';

interface SourcePosition {
  topic: string;
  partition: number;
  next_offset: number;
}

/** The end offsets of partitions by `topic/partition`. */
type EndOffsets = ReadonlyMap<string, number>;

/** Requests the end offsets of topics from the brokers. The result has only offsets that the brokers returned. */
export type AskEndOffsets = (topics: readonly string[]) => Promise<EndOffsets>;

/** The part of a Kafka admin client that reads end offsets. */
interface TopicAdministration {
  connect: () => Promise<void>;
  fetchTopicOffsets: (topic: string) => Promise<{ partition: number; high: string }[]>;
  disconnect: () => Promise<void>;
}

/** Returns the topics among the sources. The other sources are files and operators' changes. */
export function topicsOf(sources: readonly SourcePosition[]): string[] {
  return [...new Set(sources.map(({ topic }) => topic))].filter(isTopic);
}

/**
 * Adds the end offset and the lag to sources. Both are null for a topic when Kafka does not respond. Sources that are
 * not topics were read to their end, so their lag is 0.
 */
export function withEndOffsets<Source extends SourcePosition>(sources: readonly Source[], ends: EndOffsets) {
  return sources.map((source) => {
    const { topic, partition, next_offset } = source;
    const end = isTopic(topic) ? (ends.get(`${topic}/${partition}`) ?? null) : next_offset;
    return { ...source, end_offset: end, lag: end === null ? null : Math.max(0, end - next_offset) };
  });
}

/**
 * Requests the end offsets of topics from the brokers.
 *
 * @param onRetry called when the brokers do not respond; the result then contains the offsets read up to that point
 */
export async function readEndOffsets(
  administration: TopicAdministration,
  topics: readonly string[],
  onRetry: (error: unknown) => void,
): Promise<EndOffsets> {
  const ends = new Map<string, number>();
  try {
    await administration.connect();
    for (const topic of topics) {
      for (const { partition, high } of await administration.fetchTopicOffsets(topic)) {
        ends.set(`${topic}/${partition}`, Number(high));
      }
    }
  } catch (error) {
    onRetry(error);
  } finally {
    await administration.disconnect().catch(() => {});
  }
  return ends;
}
