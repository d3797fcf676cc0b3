import type { OpenDeadLetterFilter } from '@milepost/operations/dead-letters';
import type { Command } from 'commander';
import { examples, wholeNumber } from '../../arguments.ts';
import { DEAD_LETTER_HEADINGS, deadLetterCells } from '../../output/dead-letters.ts';
import { printJson } from '../../output/json.ts';
import { printTable } from '../../output/table.ts';
import { addFilters, filterOf } from './filters.ts';

interface Options extends OpenDeadLetterFilter {
  all?: boolean;
  limit: number;
  before?: number;
  json?: true;
}

/** `milepost dead-letters list`: newest first. */
export function addList(deadLetters: Command): void {
  const list = deadLetters.command('list').description('List the open dead letters, newest first.');
  addFilters(list, '')
    .option('--all', 'those already settled too')
    .option('--limit <number>', 'at most so many', wholeNumber(1, 100_000), 100)
    .option('--before <id>', 'only those with smaller ids: the next page', wholeNumber(1))
    .option('--json', 'print an array with all fields')
    .addHelpText(
      'after',
      examples(
        'milepost dead-letters list --reason invalid_field --field /events',
        'milepost dead-letters list --source milepost.trips --partition 3 --since 2025-01-31T08:00:00Z --all',
      ),
    )
    .action(async ({ all = false, limit, before, json, ...options }: Options) => {
      const filter = { ...(await filterOf(options)), all };
      const [{ ROLES }, { withPool }, { findDeadLetters }] = await Promise.all([
        import('@milepost/postgres'),
        import('../../database.ts'),
        import('@milepost/operations/dead-letters'),
      ]);
      const letters = await withPool(ROLES.operator, (pool) => findDeadLetters(pool, filter, { limit, before }));
      if (json) return printJson(letters);
      printTable(DEAD_LETTER_HEADINGS, letters.map(deadLetterCells));
      const last = letters.at(-1);
      if (last && letters.length === limit)
        process.stderr.write(`There may be more than ${limit}: see --limit, or go on with --before ${last.id}.\n`);
    });
}
