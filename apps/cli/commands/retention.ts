import type { Command } from 'commander';
import { examples } from '../arguments.ts';
import { databaseSettings, redisUrl } from '../config.ts';
import { printJson } from '../output/json.ts';

const NOTES = `
The worker of an ops process does this every hour anyway. It leaves rows out of the read tables that nobody can ask for any
more, by a replay of each table concerned, and drops generations that were kept long enough for a roll back. The event log
keeps everything. \`milepost replay list\` shows the replays that it begins, asked for by \`retention\`.`;

async function askForRetention(): Promise<void> {
  const [{ ROLES }, { locateDatabase }, { withPoolAt }, { openEnqueuer }, { recordedCommand }] = await Promise.all([
    import('@milepost/postgres'),
    import('@milepost/embedded-postgres/locate'),
    import('../database.ts'),
    import('@milepost/ops/queue'),
    import('../operator.ts'),
  ]);
  const databaseUrl = await locateDatabase(databaseSettings());
  const enqueuer = openEnqueuer({ databaseUrl, redisUrl: redisUrl() });
  try {
    await withPoolAt(databaseUrl, ROLES.operator, async (pool) => {
      await recordedCommand(pool, 'retention.run', {}, async () => {
        if (await enqueuer.enqueue({ kind: 'retention' })) return;
        throw new Error(
          'The queue does not answer, so retention runs only at its hour: try again, or see `milepost ops`.',
        );
      });
    });
  } finally {
    await enqueuer.close();
  }
}

/** `milepost retention`: now what the worker does every hour. */
export function addRetention(program: Command): void {
  program
    .command('retention')
    .description('Have the worker leave old rows out of the read tables now, and drop generations kept long enough.')
    .option('--json', 'print {accepted}')
    .addHelpText('after', NOTES)
    .addHelpText('after', examples('milepost retention'))
    .action(async ({ json }: { json?: true }) => {
      await askForRetention();
      if (json) printJson({ accepted: true });
      process.stderr.write(
        'Retention runs as soon as an ops process takes it up: `milepost replay list` shows what it begins.\n',
      );
    });
}
