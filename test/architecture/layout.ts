/** Where what lies. A path is relative to the root, and stands for a file or for a folder with all that is in it. */
export interface Layout {
  /**
   * What each room may import from, besides itself. A file's room is the longest path that fits it; every source file
   * needs one.
   */
  mayImport: Readonly<Record<string, readonly string[]>>;
  /** The rooms without input and output, and the modules from outside that each may use. */
  pure: Readonly<Record<string, readonly string[]>>;
  /** The file that imports every projection. The folder of each is apart from the others: it can be replayed alone. */
  projections: string;
  /** What only reads, and so never loads a writer or a projection, directly or by way of other files. */
  reader: string;
  writers: readonly string[];
  /** The files that read the environment, one for each process. */
  settings: RegExp;
}

const CORE = ['packages/domain', 'packages/postgres', 'packages/trail-codec', 'packages/trip-event-codec'];

export const LAYOUT: Layout = {
  // Data flows one way: what is upstream knows nothing of what is downstream.
  mayImport: {
    'packages/domain': [],
    'packages/trail-codec': [],
    'packages/trip-event-codec': [],
    'packages/postgres': [],
    'packages/embedded-postgres': ['packages/postgres'],
    'packages/service': [],
    'packages/http': ['packages/postgres', 'packages/service'],
    'packages/sample-fleet': ['packages/domain'],
    'packages/event-log': CORE,
    // The engine, replays and audits of it know no trip: only the folders of the read tables do.
    'packages/projections/engine': ['packages/postgres'],
    'packages/replay': ['packages/postgres', 'packages/projections/engine'],
    'packages/audit': ['packages/postgres', 'packages/projections/engine'],
    'packages/projections': [...CORE, 'packages/projections/engine', 'packages/audit'],
    'packages/erasure': [...CORE, 'packages/event-log', 'packages/projections/engine', 'packages/replay'],
    'packages/operations': [
      ...CORE,
      'packages/event-log',
      'packages/projections',
      'packages/replay',
      'packages/audit',
      'packages/erasure',
      'packages/http/check.ts',
    ],
    'apps/ingest': [...CORE, 'packages/embedded-postgres', 'packages/event-log', 'packages/service'],
    'apps/projector': ['packages'],
    'apps/api': [
      'packages/domain',
      'packages/postgres/index.ts',
      'packages/embedded-postgres/locate.ts',
      'packages/projections/queries.ts',
      'packages/http',
      'packages/service',
    ],
    // Operators ask Kafka as ingest does.
    'apps/ops': ['packages', 'apps/ingest/config.ts', 'apps/ingest/kafka/client.ts'],
    'apps/cli': ['packages', 'apps'],
    'deploy/health': ['packages', 'apps/cli'],
  },
  pure: {
    'packages/domain': ['node:crypto', 'typebox'],
    'packages/trail-codec': [],
    'packages/trip-event-codec': ['node:zlib'],
  },
  projections: 'packages/projections/projections.ts',
  reader: 'apps/api',
  writers: [
    'packages/event-log',
    'packages/projections/engine',
    'packages/replay',
    'packages/erasure',
    'packages/postgres/migrations',
  ],
  settings: /^apps\/[^/]+\/config\.ts$/,
};

/** Files beside pure tests that only these load. */
export const TEST_HELPERS = '**/{arbitrary-*,example-view,sample-trail}.ts';
