import type { Command } from 'commander';
import { examples, wholeNumber } from '../../arguments.ts';
import type { DeadLetterFilter } from '../../dead-letters/find.ts';
import { assertReason } from '../../dead-letters/reason.ts';
import { printJson } from '../../output/json.ts';
import { printTable } from '../../output/table.ts';

/** `milepost dead-letters list`: newest first. */
export function addList(deadLetters: Command): void {
  deadLetters
    .command('list')
    .description('List the open dead letters, newest first.')
    .option('--reason <code>', 'only those with this reason code')
    .option('--source <topic>', 'only those of this topic, or of file:NAME')
    .option('--all', 'those already settled too')
    .option('--limit <number>', 'at most so many', wholeNumber(1, 100_000), 100)
    .option('--json', 'print an array with all fields')
    .addHelpText('after', examples('milepost dead-letters list --reason invalid_field'))
    .action(async (options: DeadLetterFilter & { json?: true }) => {
      const [{ ROLES }, { withPool }, { findDeadLetters }] = await Promise.all([
        import('@milepost/postgres'),
        import('../../database.ts'),
        import('../../dead-letters/find.ts'),
      ]);
      await assertReason(options.reason);
      const letters = await withPool(ROLES.operator, (pool) => findDeadLetters(pool, options));
      if (options.json) return printJson(letters);
      printTable(
        ['id', 'received', 'source', 'partition', 'offset', 'reason', 'field', 'resolution'],
        letters.map((letter) => [
          letter.id,
          letter.received_at.toISOString(),
          letter.topic,
          letter.partition,
          letter.offset,
          letter.reason,
          letter.field,
          letter.resolution,
        ]),
      );
      if (letters.length === options.limit)
        process.stderr.write(`There may be more than ${options.limit}: see --limit.\n`);
    });
}
