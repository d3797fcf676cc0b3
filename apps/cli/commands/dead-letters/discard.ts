import type { Command } from 'commander';
import { examples, id } from '../../arguments.ts';
import { UsageError } from '../../failure.ts';
import { printJson } from '../../output/json.ts';

interface Options {
  note: string;
  json?: true;
}

/** `milepost dead-letters discard`: given up, on record. */
export function addDiscard(deadLetters: Command): void {
  deadLetters
    .command('discard')
    .description('Give dead letters up, with a note that says why. They stay readable with list --all and show.')
    .argument('<ids...>', 'ids that `milepost dead-letters list` shows', id)
    .requiredOption('--note <text>', 'why')
    .option('--json', 'print {discarded: [id]}')
    .addHelpText('after', examples('milepost dead-letters discard 17 18 --note "test data of the pipeline"'))
    .action(async (ids: number[], options: Options) => {
      if (options.note.trim() === '') throw new UsageError('--note must say why.');
      const [{ ROLES }, { withPool }, { discardDeadLetters }] = await Promise.all([
        import('@milepost/postgres'),
        import('../../database.ts'),
        import('../../dead-letters/discard.ts'),
      ]);
      const discarded = await withPool(ROLES.operator, (pool) => discardDeadLetters(pool, ids, options.note));
      if (options.json) printJson({ discarded });
      else process.stdout.write(`${discarded.length} discarded\n`);
      const others = ids.filter((wanted) => !discarded.includes(wanted));
      if (others.length > 0) throw new Error(`Not open, or not there at all: ${others.join(', ')}.`);
    });
}
