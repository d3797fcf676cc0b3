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
  /** The room that folds positions, whatever the stored events are about, and the words that never occur in it. */
  ignorant: { room: string; words: RegExp };
  /** Where the database is asked without a declared statement. */
  askers: readonly string[];
  /** The files that read the environment, one for each process. */
  settings: RegExp;
  /** The files that nothing in production loads. */
  tests: RegExp;
  /** The files that are run, by people, by containers, as threads or by Vitest: nothing imports them. */
  entryPoints: RegExp;
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
    'packages/http': ['packages/domain', 'packages/postgres', 'packages/service'],
    'packages/sample-fleet': ['packages/domain'],
    'packages/event-log': CORE,
    // The engine and replays know no trip: only the folders of the read tables do.
    'packages/projections/engine': ['packages/postgres'],
    'packages/replay': ['packages/postgres', 'packages/projections/engine', 'packages/domain/schemas.ts'],
    'packages/audit': [
      'packages/postgres',
      'packages/projections/engine',
      'packages/domain/schemas.ts',
      'packages/domain/stored-event.ts',
    ],
    'packages/projections': [...CORE, 'packages/projections/engine'],
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
      'apps/console/bundles.ts',
    ],
    // What browsers load knows the servers by their OpenAPI documents alone.
    'apps/console': ['packages/domain/score', 'packages/domain/calendar.ts'],
    // Operators ask Kafka as ingest does.
    'apps/ops': ['packages', 'apps/ingest/config.ts', 'apps/ingest/kafka/client.ts', 'apps/console/bundles.ts'],
    'apps/cli': ['packages', 'apps'],
    'deploy/health': ['packages', 'apps/cli'],
    'deploy/package': [],
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
  ignorant: { room: 'packages/projections/engine', words: /trip|driver|rollup|score/i },
  // Who hears of appends has a connection for that alone, which runs nothing else.
  askers: ['packages/postgres', 'apps/projector/listen.ts'],
  settings: /^apps\/[^/]+\/config\.ts$/,
  tests:
    /^test\/|^apps\/console\/generate-types\.ts$|\.test\.ts$|\/(arbitrary-[^/]+|example-view|example-trip|sample-trail|sample-tracks)\.ts$/,
  entryPoints: new RegExp(
    [
      '^(apps/cli|deploy/health|deploy/package)/main.ts$',
      '^apps/ingest/records/reading-thread.ts$',
      '^apps/console/(vite.config.ts|build.ts|prepare.ts|(explore|operate)/main.tsx)$',
      '\\.test.ts$',
      '^test/support/(global-setup|services-reporter|faults/small-chunks).ts$',
      '^test/bench/[^/]+.ts$',
      '^test/bench/support/(bare-handler|group-by-handler|naive-service).ts$',
    ].join('|'),
  ),
};
