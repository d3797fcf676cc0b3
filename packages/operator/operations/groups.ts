import type { Operation } from './language/operation.ts';

interface OperationGroup {
  /** The heading of the group in the reference. */
  tag: string;
  description: string;
  load: () => Promise<{ operations: readonly Operation[] }>;
}

/**
 * The groups of operations, by the first word of an operation's name, in the order of the reference. Each group is
 * loaded on demand, because loading all of them takes half a second.
 */
export const GROUPS: Readonly<Record<string, OperationGroup>> = {
  status: {
    tag: 'Status',
    description: 'Show the progress of the log, the read tables and the sources.',
    load: async () => await import('./definitions/status.ts'),
  },
  projections: {
    tag: 'Projections',
    description: 'List the read tables and their generations.',
    load: async () => await import('./definitions/projections.ts'),
  },
  positions: {
    tag: 'Positions',
    description: 'Set aside stored events that a projection cannot apply, and put them back later.',
    load: async () => await import('./definitions/positions.ts'),
  },
  replay: {
    tag: 'Replays',
    description: 'Rebuild read tables from the event log, alongside the live ones; compare, promote and roll back.',
    load: async () => await import('./definitions/replays.ts'),
  },
  audit: {
    tag: 'Audits',
    description: 'Recompute the live read tables from the event log, and report the differences.',
    load: async () => await import('./definitions/audits.ts'),
  },
  'dead-letters': {
    tag: 'Dead letters',
    description:
      "List the records that could not be stored, and retry or discard them. Only an erasure removes a record's bytes.",
    load: async () => await import('./definitions/dead-letters.ts'),
  },
  sources: {
    tag: 'Sources',
    description: 'Let ingest continue with stopped partitions, which the status shows with the cause.',
    load: async () => await import('./definitions/sources.ts'),
  },
  trace: {
    tag: 'Lineage',
    description: 'Show every stored event behind a response, with the related duplicates and dead letters.',
    load: async () => await import('./definitions/trace.ts'),
  },
  drivers: {
    tag: 'Drivers',
    description: 'List fleets and drivers, and erase a driver.',
    load: async () => await import('./definitions/drivers.ts'),
  },
  fleets: {
    tag: 'Fleets',
    description: 'List the fleets with their lanes. The command `milepost fleets move` moves a fleet.',
    load: async () => await import('./definitions/fleets.ts'),
  },
  lanes: {
    tag: 'Lanes',
    description: 'List the lanes.',
    load: async () => await import('./definitions/lanes.ts'),
  },
  retention: {
    tag: 'Retention',
    description: 'Remove rows that no request can reach.',
    load: async () => await import('./definitions/retention.ts'),
  },
  keys: {
    tag: 'Keys',
    description: "Create, list and revoke fleets' API keys.",
    load: async () => await import('./definitions/keys.ts'),
  },
  sessions: {
    tag: 'Sessions',
    description: 'Show the PostgreSQL sessions and the locks that they are waiting for, and cancel their statements.',
    load: async () => await import('./definitions/sessions.ts'),
  },
  operations: {
    tag: 'Operations',
    description: 'Show the changes made by operators, with commands or over HTTP.',
    load: async () => await import('./definitions/recorded-operations.ts'),
  },
};

/** Finds an operation's group. Throws when the operation does not belong to a group. */
export function groupOf({ name }: Pick<Operation, 'name'>): OperationGroup {
  const group = GROUPS[name.split('.')[0] ?? ''];
  if (!group) throw new Error(`The operation ${name} is in no group.`);
  return group;
}
