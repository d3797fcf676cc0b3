import type { OpenDeadLetterFilter } from '@milepost/operations/dead-letters';
import type { Pool } from '@milepost/postgres';
import type { Command } from 'commander';
import { examples, id } from '../../arguments.ts';
import { UsageError } from '../../failure.ts';
import { printJson } from '../../output/json.ts';
import { type Progress, startProgress } from '../../output/progress.ts';
import { addFilters, type Chosen, chosen } from './filters.ts';

interface Options extends OpenDeadLetterFilter {
  allOpen?: true;
  note: string;
  json?: true;
}

async function discardChosen(pool: Pool, what: Chosen, note: string, progress: Progress): Promise<number[]> {
  const { countOpenDeadLetters, discardDeadLetters, discardOpenDeadLetters } = await import(
    '@milepost/operations/dead-letters'
  );
  if ('ids' in what) return await discardDeadLetters(pool, what.ids, note);
  const total = await countOpenDeadLetters(pool, what.filter);
  return await discardOpenDeadLetters(pool, what.filter, note, (discarded) => progress.update(discarded, total));
}

/** `milepost dead-letters discard`: given up, on record. */
export function addDiscard(deadLetters: Command): void {
  const discard = deadLetters
    .command('discard')
    .description('Give dead letters up, with a note that says why. They stay readable with list --all and show.')
    .argument('[ids...]', 'ids that `milepost dead-letters list` shows', id)
    .requiredOption('--note <text>', 'why')
    .option('--all-open', 'all that nobody has settled');
  addFilters(discard, 'with --all-open: ')
    .option('--json', 'print {discarded: [id]}')
    .addHelpText(
      'after',
      examples(
        'milepost dead-letters discard 17 18 --note "test data of the pipeline"',
        'milepost dead-letters discard --all-open --fleet test-fleet --note "test data of the pipeline"',
      ),
    )
    .action(async (ids: number[], options: Options) => {
      if (options.note.trim() === '') throw new UsageError('--note must say why.');
      const what = await chosen(ids, options);
      const { note } = options;
      const [{ ROLES }, { withPool }, { recordedCommand }, { discardedInWords }] = await Promise.all([
        import('@milepost/postgres'),
        import('../../database.ts'),
        import('../../operator.ts'),
        import('@milepost/operations/dead-letters'),
      ]);
      const progress = startProgress('Discarding', ' dead letters');
      const discarded = await withPool(ROLES.operator, (pool) =>
        recordedCommand(
          pool,
          'dead-letters.discard',
          { ...what, note },
          () => discardChosen(pool, what, note, progress),
          discardedInWords,
        ),
      ).finally(progress.stop);
      if (options.json) printJson({ discarded });
      else process.stdout.write(`${discarded.length} discarded\n`);
      const found = new Set(discarded);
      const others = 'ids' in what ? what.ids.filter((wanted) => !found.has(wanted)) : [];
      if (others.length > 0) throw new Error(`Not open, or not there at all: ${others.join(', ')}.`);
    });
}
