/**
 * The structure of the repository. A path is relative to the root. It denotes a file, or a folder with all its
 * contents.
 */
export interface Layout {
  /**
   * The paths that each component may import from, besides itself. A file belongs to the component with the longest
   * matching path. Every source file needs one.
   */
  mayImport: Readonly<Record<string, readonly string[]>>;
  /** The components without input and output, and the external modules that each may use. */
  pure: Readonly<Record<string, readonly string[]>>;
  /**
   * The file that imports every projection. The folders of projections are independent, so each projection can be
   * replayed alone.
   */
  projections: string;
  /** The component that only reads. It never loads a writer or a projection, directly or through other files. */
  reader: string;
  writers: readonly string[];
  /**
   * The component that processes positions independently of the contents of stored events, and the words that must not
   * occur in it.
   */
  domainAgnostic: { component: string; words: RegExp };
  /** The paths that may query the database without a declared statement. */
  undeclaredQueryPaths: readonly string[];
  /** The files that create pools and connections with the database client. */
  databaseClients: readonly string[];
  /** The paths whose files contain no SQL that writes. */
  readOnlySql: readonly string[];
  /** The files that read the environment, one for each process. */
  settings: RegExp;
  /** The files that production code does not load. */
  tests: RegExp;
  /** The files that people, containers, threads or Vitest run, and the interface of the published client. */
  entryPoints: RegExp;
}

const CORE = ['packages/domain', 'packages/postgres', 'packages/trail-codec', 'packages/trip-event-codec'];

export const LAYOUT: Layout = {
  // Data flows one way: upstream components do not import downstream ones.
  mayImport: {
    'packages/domain': [],
    'packages/trail-codec': ['packages/domain/vocabulary.ts'],
    'packages/trip-event-codec': ['packages/domain/vocabulary.ts', 'packages/trail-codec/checksum.ts'],
    'packages/tracing': [],
    'packages/postgres': ['packages/tracing'],
    'packages/embedded-postgres': ['packages/postgres'],
    // The client is published, and runs without any other package.
    'packages/client': [],
    'packages/service': ['packages/tracing'],
    'packages/validation': [],
    'packages/http': [
      'packages/domain',
      'packages/postgres',
      'packages/service',
      'packages/tracing',
      'packages/validation',
    ],
    'packages/metrics': [
      'packages/domain/records/fault.ts',
      'packages/http/listen.ts',
      'packages/postgres',
      'packages/service',
      'packages/status/log-status.ts',
    ],
    'packages/sample-fleet': ['packages/domain'],
    'packages/event-log': CORE,
    // Only the folders of the read tables depend on trips; the engine and replays do not.
    'packages/projections/engine': ['packages/postgres', 'packages/event-log/head.ts', 'packages/tracing'],
    'packages/replay': ['packages/postgres', 'packages/projections/engine'],
    'packages/audit': [
      'packages/postgres',
      'packages/event-log/head.ts',
      'packages/projections/engine',
      'packages/domain/stored-event.ts',
    ],
    'packages/projections': [...CORE, 'packages/projections/engine'],
    'packages/erasure': [...CORE, 'packages/event-log', 'packages/projections/engine', 'packages/replay'],
    'packages/status': ['packages/postgres', 'packages/event-log/head.ts'],
    'packages/dead-letters': ['packages/postgres', 'packages/event-log'],
    'packages/lineage': [...CORE, 'packages/dead-letters', 'packages/event-log'],
    'packages/archive': [...CORE, 'packages/event-log'],
    'packages/fleet-move': ['packages/postgres', 'packages/archive', 'packages/event-log'],
    // Definitions of operations may import engines, but no transport such as HTTP or the command line. The folder
    // `language` imports replay and erasure, because it contains the messages for their refusals.
    'packages/operations/language': [
      'packages/domain',
      'packages/postgres',
      'packages/status',
      'packages/validation',
      'packages/replay',
      'packages/erasure',
    ],
    'packages/operations': [
      ...CORE,
      'packages/operations/language',
      'packages/event-log',
      'packages/projections',
      'packages/replay',
      'packages/audit',
      'packages/erasure',
      'packages/status',
      'packages/dead-letters',
      'packages/lineage',
    ],
    'apps/ingest': [
      ...CORE,
      'packages/embedded-postgres',
      'packages/event-log',
      'packages/metrics',
      'packages/service',
      'packages/tracing',
    ],
    // The projector needs only the head of the log, because it does not encode or store records.
    'apps/projector': [
      'packages/embedded-postgres',
      'packages/event-log/head.ts',
      'packages/metrics',
      'packages/postgres',
      'packages/projections',
      'packages/service',
      'packages/tracing',
    ],
    'apps/api': [
      'packages/domain',
      'packages/postgres/index.ts',
      'packages/postgres/lanes',
      'packages/embedded-postgres/locate.ts',
      'packages/projections/queries.ts',
      'packages/http',
      'packages/metrics',
      'packages/service',
      'packages/tracing',
      'apps/console/bundles.ts',
    ],
    // Code for browsers depends on the servers only through their OpenAPI documents.
    'apps/console': ['packages/client', 'packages/domain/score', 'packages/domain/calendar.ts'],
    // Operations connect to Kafka with the settings and the client of ingest.
    'apps/ops': ['packages', 'apps/ingest/config.ts', 'apps/ingest/connection/client.ts', 'apps/console/bundles.ts'],
    'apps/cli': ['packages', 'apps'],
    'deploy/health': ['packages', 'apps/cli'],
    'deploy/monitoring': [],
    'deploy/package': [],
    'deploy/release': [],
  },
  pure: {
    'packages/domain': ['node:crypto', 'typebox'],
    'packages/trail-codec': ['node:zlib'],
    'packages/trip-event-codec': [],
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
  domainAgnostic: { component: 'packages/projections/engine', words: /trip|driver|rollup|score/i },
  // The listener for appends has its own connection, which runs no other statement.
  undeclaredQueryPaths: ['packages/postgres', 'apps/projector/listen.ts'],
  databaseClients: ['packages/postgres', 'packages/embedded-postgres/running.ts', 'apps/ops/queue/postgres-backend.ts'],
  readOnlySql: ['apps', 'deploy', 'packages/http', 'packages/service'],
  settings: /^apps\/[^/]+\/config\.ts$/,
  tests: /^test\/|^apps\/console\/generate-types\.ts$|\.test\.ts$|\/(arbitrary-[^/]+|example-view|example-trip)\.ts$/,
  entryPoints: new RegExp(
    [
      '^(apps/cli|deploy/(health|monitoring|package|release))/main.ts$',
      '^apps/ingest/records/reading-thread.ts$',
      '^apps/console/(vite.config.ts|build.ts|generate-types.ts|prepare.ts|(explore|operate)/main.tsx)$',
      '^packages/client/index.ts$',
      '\\.test.ts$',
      '^test/support/(global-setup|kafka-client|services-reporter|faults/small-chunks|killed-run/[^/]+).ts$',
      '^test/bench/[^/]+.ts$',
      '^test/(soak/main|mutants/(main|support/reporter)).ts$',
      '^test/simulation/(main|thread|scale/main).ts$',
      '^test/bench/support/(bare-handler|group-by-handler|naive-service).ts$',
    ].join('|'),
  ),
};
