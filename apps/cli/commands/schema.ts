import type { Command } from 'commander';
import { examples } from '../arguments.ts';
import { UsageError } from '../failure.ts';
import { printJson } from '../output.ts';

/** Adds `milepost schema`, which prints the JSON Schema for one kind of record or for all kinds. */
export function addSchema(program: Command): void {
  program
    .command('schema')
    .description('Print the JSON Schema for one kind of record or, without a kind, one that accepts every kind.')
    .argument('[kind]', 'trip.processed, trip.deleted or driver.profile')
    .addHelpText('after', examples('milepost schema trip.processed > trip.processed.json'))
    .action(async (name?: string) => {
      const { RECORD_KINDS, recordSchema } = await import('@milepost/domain/record-schemas');
      if (name === undefined) return printJson({ anyOf: RECORD_KINDS.map(recordSchema) });
      const kind = RECORD_KINDS.find((each) => each === name);
      if (!kind)
        throw new UsageError(`There is no kind of record "${name}". The kinds are ${RECORD_KINDS.join(', ')}.`);
      printJson(recordSchema(kind));
    });
}
