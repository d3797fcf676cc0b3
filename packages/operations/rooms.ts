import type { Operation } from './operation.ts';

interface Room {
  /** What the reference calls it. */
  tag: string;
  description: string;
  load: () => Promise<{ operations: readonly Operation[] }>;
}

/**
 * Where the operations are, by the first word of their names, in the order of the reference. Loaded when it is needed: all of
 * them take half a second.
 */
export const ROOMS: Readonly<Record<string, Room>> = {
  status: {
    tag: 'Status',
    description: 'Show how far everything has come.',
    load: async () => await import('./status.ts'),
  },
  projections: {
    tag: 'Projections',
    description: 'List the read tables, and the generations of each.',
    load: async () => await import('./projections.ts'),
  },
  replay: {
    tag: 'Replays',
    description: 'Build read tables anew from the event log beside the live ones, compare, promote, roll back.',
    load: async () => await import('./replays/operations.ts'),
  },
  audit: {
    tag: 'Audits',
    description: 'Recount the live read tables from the event log.',
    load: async () => await import('./audits.ts'),
  },
  'dead-letters': {
    tag: 'Dead letters',
    description: 'Look at the records that could not be stored, and settle them. Nothing is ever deleted.',
    load: async () => await import('./dead-letters/operations.ts'),
  },
  sources: {
    tag: 'Sources',
    description: 'Settle the partitions of topics that stand still. The status shows them, with the cause.',
    load: async () => await import('./sources.ts'),
  },
  trace: {
    tag: 'Lineage',
    description: 'Show every stored event behind an answer, with the duplicates and dead letters about it.',
    load: async () => await import('./lineage/operations.ts'),
  },
  drivers: {
    tag: 'Drivers',
    description: 'Erase a driver.',
    load: async () => await import('./drivers.ts'),
  },
  retention: {
    tag: 'Retention',
    description: 'Leave out what nobody can ask for any more.',
    load: async () => await import('./retention.ts'),
  },
  keys: {
    tag: 'Keys',
    description: 'Make, list and revoke API keys of fleets.',
    load: async () => await import('./keys.ts'),
  },
  operations: {
    tag: 'Operations',
    description: 'Show who changed what, when, by command or over HTTP.',
    load: async () => await import('./audit-trail.ts'),
  },
};

/** The room of an operation. */
export function roomOf({ name }: Pick<Operation, 'name'>): Room {
  const room = ROOMS[name.split('.')[0] ?? ''];
  if (!room) throw new Error(`The operation ${name} is in no room.`);
  return room;
}
