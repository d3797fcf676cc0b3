import type { Command } from 'commander';
import { examples, fleetId } from '../../arguments.ts';
import { printJson } from '../../output/json.ts';

/** `milepost keys create`: the key is shown once; only its hash is kept. */
export function addCreate(keys: Command): void {
  keys
    .command('create')
    .description('Make an API key for a fleet and print it alone; it cannot be shown again, as only its hash is kept.')
    .requiredOption('--fleet <id>', 'the fleet whose reports the key opens', fleetId)
    .option('--json', 'print {id, fleet_id, key}')
    .addHelpText('after', examples('milepost keys create --fleet sunrise-delivery'))
    .action(async (options: { fleet: string; json?: true }) => {
      const [{ ROLES }, { withPool }, { recordedCommand }, { createApiKey }] = await Promise.all([
        import('@milepost/postgres'),
        import('../../database.ts'),
        import('../../operator.ts'),
        import('@milepost/operations/api-keys'),
      ]);
      const parameters = { fleet_id: options.fleet };
      const created = await withPool(ROLES.operator, (pool) =>
        recordedCommand(
          pool,
          'keys.create',
          parameters,
          () => createApiKey(pool, options.fleet),
          ({ id }) => id,
        ),
      );
      if (options.json) printJson(created);
      else process.stdout.write(`${created.key}\n`);
    });
}
