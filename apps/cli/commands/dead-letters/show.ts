import type { Command } from 'commander';
import { examples, wholeNumber } from '../../arguments.ts';
import { printJson } from '../../output/json.ts';
import { preview } from '../../output/preview.ts';
import { printTable } from '../../output/table.ts';

interface Options {
  json?: true;
  raw?: true;
}

/** `milepost dead-letters show`: why a record was refused, and the record. */
export function addShow(deadLetters: Command): void {
  deadLetters
    .command('show')
    .description('Show one dead letter and the beginning of its record.')
    .argument('<id>', 'the id that `milepost dead-letters list` shows', wholeNumber(1))
    .option('--json', 'print all fields, the record as base64 in raw_base64')
    .option('--raw', "print the record's bytes and nothing else")
    .addHelpText(
      'after',
      examples('milepost dead-letters show 17', 'milepost dead-letters show 17 --raw > record.json'),
    )
    .action(async (id: number, options: Options) => {
      const [{ ROLES }, { withPool }, { getDeadLetter }] = await Promise.all([
        import('@milepost/postgres'),
        import('../../database.ts'),
        import('@milepost/operations/dead-letters'),
      ]);
      const { raw, ...letter } = await withPool(ROLES.operator, (pool) => getDeadLetter(pool, id));
      if (options.raw) {
        process.stdout.write(raw ?? '');
        return;
      }
      if (options.json) return printJson({ ...letter, raw_base64: raw?.toString('base64') ?? null });
      printTable(
        ['field', 'value'],
        Object.entries(letter).map(([name, value]) => [
          name,
          value instanceof Date ? value.toISOString() : (value?.toString() ?? null),
        ]),
      );
      process.stdout.write(`\n${raw === null ? '(The record had no value.)' : preview(raw)}\n`);
    });
}
