import type { SourceClaim } from '@milepost/event-log';

/** The right to store the records of a partition from `nextOffset`, in all lanes that respond. */
export type PartitionClaim = Pick<SourceClaim, 'topic' | 'partition' | 'epoch' | 'nextOffset' | 'last' | 'stopped'>;
