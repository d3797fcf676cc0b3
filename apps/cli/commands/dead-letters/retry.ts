import type { Pool } from '@milepost/postgres';
import type { Command } from 'commander';
import { examples, id } from '../../arguments.ts';
import { assertReason } from '../../dead-letters/reason.ts';
import { UsageError } from '../../failure.ts';
import { printJson } from '../../output/json.ts';
import { printTable } from '../../output/table.ts';

interface Options {
  allOpen?: true;
  reason?: string;
  json?: true;
}

function assertSensible(ids: readonly number[], { allOpen, reason }: Options): void {
  if (allOpen && ids.length > 0) throw new UsageError('Name ids or say --all-open, not both.');
  if (!allOpen && ids.length === 0) throw new UsageError('Name the ids of dead letters, or say --all-open.');
  if (!allOpen && reason !== undefined) throw new UsageError('--reason goes with --all-open.');
}

async function openIds(reason: string | undefined): Promise<number[]> {
  const [{ ROLES }, { withPool }, { findOpenIds }] = await Promise.all([
    import('@milepost/postgres'),
    import('../../database.ts'),
    import('../../dead-letters/find.ts'),
  ]);
  return await withPool(ROLES.operator, (pool) => findOpenIds(pool, reason));
}

async function retry(ids: readonly number[]) {
  const [{ ROLES }, { withPool }, { retryDeadLetters }] = await Promise.all([
    import('@milepost/postgres'),
    import('../../database.ts'),
    import('@milepost/ingest/dead-letters'),
  ]);
  return await withPool(ROLES.ingest, (pool: Pool) => retryDeadLetters(pool, [...ids]));
}

/** `milepost dead-letters retry`: the same bytes against today's rules. */
export function addRetry(deadLetters: Command): void {
  deadLetters
    .command('retry')
    .description('Try to store dead letters again, with the rules of this release.')
    .argument('[ids...]', 'ids that `milepost dead-letters list` shows', id)
    .option('--all-open', 'all that nobody has settled')
    .option('--reason <code>', 'with --all-open: only those with this reason code')
    .option('--json', 'print [{id, outcome, message}]')
    .addHelpText(
      'after',
      examples('milepost dead-letters retry 17 18', 'milepost dead-letters retry --all-open --reason start_in_future'),
    )
    .action(async (ids: number[], options: Options) => {
      assertSensible(ids, options);
      await assertReason(options.reason);
      const results = await retry(options.allOpen ? await openIds(options.reason) : [...new Set(ids)]);
      if (options.json) printJson(results);
      else
        printTable(
          ['id', 'outcome', 'message'],
          results.map(({ id, outcome, message }) => [id, outcome, message]),
        );
      const left = results.filter(({ outcome }) => outcome === 'refused' || outcome === 'not_open').length;
      if (left > 0) throw new Error(`${left} of ${results.length} dead letters could not be stored.`);
    });
}
