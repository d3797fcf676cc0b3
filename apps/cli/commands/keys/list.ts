import type { Command } from 'commander';
import { examples } from '../../arguments.ts';
import { printJson } from '../../output/json.ts';
import { printTable } from '../../output/table.ts';

/** `milepost keys list`: every key's id, never a key. */
export function addList(keys: Command): void {
  keys
    .command('list')
    .description('List the API keys of all fleets by their ids.')
    .option('--json', 'print [{id, fleet_id, created_at, revoked_at}]')
    .addHelpText('after', examples('milepost keys list'))
    .action(async (options: { json?: true }) => {
      const [{ ROLES }, { withPool }, { listApiKeys }] = await Promise.all([
        import('@milepost/postgres'),
        import('../../database.ts'),
        import('@milepost/operations/api-keys'),
      ]);
      const listed = await withPool(ROLES.operator, listApiKeys);
      if (options.json) return printJson(listed);
      const rows = listed.map((key) => [
        key.id,
        key.fleet_id,
        key.created_at.toISOString(),
        key.revoked_at?.toISOString() ?? null,
      ]);
      printTable(['id', 'fleet', 'created', 'revoked'], rows);
    });
}
