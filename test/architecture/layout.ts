/** The repository's structure. A path is relative to the root and denotes a file, or a folder with everything in it. */
export interface Layout {
  /**
   * The paths from which each component may import, besides its own. A file belongs to the component with the longest
   * matching path, and every source file must belong to one.
   */
  mayImport: Readonly<Record<string, readonly string[]>>;
  /** The components without input and output, and the external modules that each of them may use. */
  pure: Readonly<Record<string, readonly string[]>>;
  /**
   * The file that imports every projection. The folders of projections do not depend on each other, so each projection
   * can be replayed alone.
   */
  projections: string;
  /** The component that only reads. It never loads a writer or a projection, not even indirectly. */
  reader: string;
  writers: readonly string[];
  /**
   * The component that processes positions without regard to what stored events contain, and the words that must not
   * occur in it.
   */
  domainAgnostic: { component: string; words: RegExp };
  /** The paths that may query the database without a declared statement. */
  undeclaredQueryPaths: readonly string[];
  /** The files that create pools and connections with the database client. */
  databaseClients: readonly string[];
  /** The paths whose files must not contain SQL that writes. */
  readOnlySql: readonly string[];
  /** The files that production code does not load. */
  tests: RegExp;
  /** The files that people, containers, threads or Vitest run, and the published client's interface. */
  entryPoints: RegExp;
}

const COMMON = [
  'packages/core/domain',
  'packages/platform/postgres',
  'packages/core/trail-codec',
  'packages/core/trip-event-codec',
];

export const LAYOUT: Layout = {
  // Data flows one way, so upstream components do not import downstream ones.
  mayImport: {
    'packages/core/domain': [],
    'packages/core/trail-codec': ['packages/core/domain/vocabulary.ts'],
    'packages/core/trip-event-codec': [
      'packages/core/domain/vocabulary.ts',
      'packages/core/trail-codec/read/bit-reader.ts',
      'packages/core/trail-codec/write/bit-writer.ts',
    ],
    'packages/platform/tracing': [],
    'packages/platform/postgres': ['packages/platform/tracing'],
    'packages/trial/embedded-postgres': ['packages/platform/postgres'],
    // The client is published and runs without any other package.
    'packages/client': [],
    'packages/platform/service': ['packages/platform/tracing'],
    'packages/platform/validation': [],
    'packages/platform/http': [
      'packages/core/domain',
      'packages/platform/postgres',
      'packages/platform/service',
      'packages/platform/tracing',
      'packages/platform/validation',
    ],
    'packages/platform/metrics': [
      'packages/core/domain/records/fault.ts',
      'packages/platform/http/port-error.ts',
      'packages/platform/postgres',
      'packages/platform/service',
      'packages/platform/status/log-status.ts',
    ],
    'packages/trial/sample-fleet': ['packages/core/domain'],
    'packages/core/event-log': COMMON,
    // Only the read tables' folders depend on trips; the engine and replays do not.
    'packages/core/projections/engine': [
      'packages/platform/postgres',
      'packages/core/event-log/head.ts',
      'packages/platform/tracing',
    ],
    'packages/core/replay': ['packages/platform/postgres', 'packages/core/projections/engine'],
    'packages/core/audit': [
      'packages/platform/postgres',
      'packages/core/event-log/head.ts',
      'packages/core/projections/engine',
      'packages/core/domain/vocabulary.ts',
    ],
    'packages/core/projections': [...COMMON, 'packages/core/projections/engine'],
    'packages/operator/erasure': [
      ...COMMON,
      'packages/core/event-log',
      'packages/core/projections/engine',
      'packages/core/replay',
    ],
    'packages/platform/status': ['packages/core/domain/ids.ts', 'packages/platform/postgres'],
    'packages/operator/dead-letters': ['packages/core/domain', 'packages/platform/postgres', 'packages/core/event-log'],
    'packages/operator/lineage': [...COMMON, 'packages/operator/dead-letters', 'packages/core/event-log'],
    'packages/operator/archive': [...COMMON, 'packages/core/event-log'],
    'packages/operator/fleet-move': [
      'packages/core/domain/ids.ts',
      'packages/platform/postgres',
      'packages/operator/archive',
      'packages/core/event-log',
    ],
    // Definitions of operations may import engines, but no transport such as HTTP or the command line. The folder
    // `language` imports replay and erasure because it contains the messages about refused replays and erasures.
    'packages/operator/operations/language': [
      'packages/core/domain',
      'packages/platform/postgres',
      'packages/platform/status',
      'packages/platform/validation',
      'packages/core/replay',
      'packages/operator/erasure',
    ],
    'packages/operator/operations': [
      ...COMMON,
      'packages/operator/operations/language',
      'packages/core/event-log',
      'packages/core/projections',
      'packages/core/replay',
      'packages/core/audit',
      'packages/operator/erasure',
      'packages/platform/status',
      'packages/operator/dead-letters',
      'packages/operator/lineage',
    ],
    'packages/platform/kafka': ['packages/core/domain', 'packages/platform/postgres', 'packages/platform/service'],
    'apps/ingest': [
      ...COMMON,
      'packages/core/event-log',
      'packages/platform/kafka',
      'packages/platform/metrics',
      'packages/platform/service',
      'packages/platform/tracing',
    ],
    // Of the event log's code, the projector needs only `head.ts`, because it does not encode or store records.
    'apps/projector': [
      'packages/core/event-log/head.ts',
      'packages/platform/metrics',
      'packages/platform/postgres',
      'packages/core/projections',
      'packages/platform/service',
      'packages/platform/tracing',
    ],
    'apps/api': [
      'packages/core/domain',
      'packages/platform/postgres/index.ts',
      'packages/platform/postgres/embedded.ts',
      'packages/platform/postgres/standby.ts',
      'packages/platform/postgres/lanes',
      'packages/core/projections/queries.ts',
      'packages/platform/http',
      'packages/platform/metrics',
      'packages/platform/service',
      'packages/platform/tracing',
      'packages/platform/validation',
      'apps/console/bundles.ts',
    ],
    // Code for browsers depends on the servers only through their OpenAPI documents.
    'apps/console': [
      'packages/client',
      'packages/core/domain/score',
      'packages/core/domain/calendar.ts',
      'packages/core/domain/answer-times.ts',
      'packages/core/domain/ids.ts',
    ],
    'apps/ops': ['packages/core', 'packages/operator', 'packages/platform', 'apps/console/bundles.ts'],
    // Only the command line imports the packages in `trial`.
    'apps/cli': ['packages', 'apps'],
    'deploy/health': ['packages/core', 'packages/operator', 'packages/platform', 'apps/cli'],
    'deploy/monitoring': [],
    'deploy/package': [],
    'deploy/release': [],
  },
  pure: {
    'packages/core/domain': ['node:crypto', 'typebox'],
    'packages/core/trail-codec': ['node:zlib'],
    'packages/core/trip-event-codec': [],
  },
  projections: 'packages/core/projections/projections.ts',
  reader: 'apps/api',
  writers: [
    'packages/core/event-log',
    'packages/core/projections/engine',
    'packages/core/replay',
    'packages/operator/erasure',
    'packages/platform/kafka/connection/findings.ts',
    'packages/platform/postgres/migrations',
  ],
  domainAgnostic: { component: 'packages/core/projections/engine', words: /trip|driver|rollup|score/i },
  // LISTEN takes no parameters. The listener's connection runs nothing else.
  undeclaredQueryPaths: ['packages/platform/postgres', 'apps/projector/listen.ts'],
  databaseClients: ['packages/platform/postgres'],
  readOnlySql: ['apps', 'deploy', 'packages/platform/http', 'packages/platform/service'],
  tests: /^test\/|^apps\/console\/generate-types\.ts$|\.test\.ts$/,
  entryPoints: new RegExp(
    [
      '^(apps/cli|deploy/(health|monitoring|package|release))/main.ts$',
      '^apps/ingest/records/reading-thread.ts$',
      '^apps/console/(vite.config.ts|build.ts|generate-types.ts|prepare.ts|(explore|operate)/main.tsx)$',
      '^packages/client/index.ts$',
      '\\.test.ts$',
      '^test/support/(global-setup|kafka-client|unstub-environment|services-reporter|faults/small-chunks|killed-run/[^/]+).ts$',
      '^test/bench/[^/]+.ts$',
      '^test/mutants/(main|support/reporter).ts$',
      '^test/simulation/scale/main.ts$',
      '^test/bench/support/(bare-handler|naive-service).ts$',
    ].join('|'),
  ),
};
