import type { Command } from 'commander';
import { examples } from '../../arguments.ts';

/** `milepost keys revoke`: the key opens nothing from now on. */
export function addRevoke(keys: Command): void {
  keys
    .command('revoke')
    .description('Revoke an API key. Done twice, nothing more happens.')
    .argument('<id>', 'the id that `milepost keys list` shows, not the key itself')
    .addHelpText('after', examples('milepost keys revoke key_1f6e0a52'))
    .action(async (id: string) => {
      const [{ ROLES }, { withPool }, { revokeApiKey }] = await Promise.all([
        import('@milepost/postgres'),
        import('../../database.ts'),
        import('../../api-keys.ts'),
      ]);
      const known = await withPool(ROLES.operator, (pool) => revokeApiKey(pool, id));
      if (!known) throw new Error('There is no API key with this id: `milepost keys list` shows the ids.');
      process.stderr.write(`${id} is revoked.\n`);
    });
}
