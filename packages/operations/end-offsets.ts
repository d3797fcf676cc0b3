import type { EndOffset, SourceState } from './status-schemas.ts';

type SourcePosition = Pick<SourceState, 'topic' | 'partition' | 'next_offset'>;

/** Kafka allows no colon in a topic; files (`file:`) and the operators' own sources (`operator:`) are named with one. */
function isTopic(source: string): boolean {
  return !source.includes(':');
}

/** Ends of partitions by `topic/partition`. */
type EndOffsets = ReadonlyMap<string, number>;

/** Asks the brokers where these topics end; what they do not say is missing from the answer. */
export type AskEndOffsets = (topics: readonly string[]) => Promise<EndOffsets>;

/** The part of a Kafka client's administration that knows where topics end. */
interface TopicAdministration {
  connect: () => Promise<void>;
  fetchTopicOffsets: (topic: string) => Promise<{ partition: number; high: string }[]>;
  disconnect: () => Promise<void>;
}

/** The topics among the sources: the others are files, and what operators did. */
export function topicsOf(sources: readonly SourcePosition[]): string[] {
  return [...new Set(sources.map(({ topic }) => topic))].filter(isTopic);
}

/** Joins where reading has come to with where the sources end. All but topics were read to their end, so they never lag. */
export function withEndOffsets<Source extends SourcePosition>(
  sources: readonly Source[],
  ends: EndOffsets,
): (Source & EndOffset)[] {
  return sources.map((source) => {
    const { topic, partition, next_offset } = source;
    const end = isTopic(topic) ? (ends.get(`${topic}/${partition}`) ?? null) : next_offset;
    return { ...source, end_offset: end, lag: end === null ? null : Math.max(0, end - next_offset) };
  });
}

/**
 * Asks the brokers where topics end.
 *
 * @param onRetry told why when they do not answer; what they said until then is returned
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
