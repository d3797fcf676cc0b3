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
      const [{ ROLES }, { withPool }, { recordedCommand }, { RefusedError }, { revokeApiKey }] = await Promise.all([
        import('@milepost/postgres'),
        import('../../database.ts'),
        import('../../operator.ts'),
        import('@milepost/operations/audit-trail'),
        import('@milepost/operations/api-keys'),
      ]);
      await withPool(ROLES.operator, (pool) =>
        recordedCommand(pool, 'keys.revoke', { id }, async () => {
          if (await revokeApiKey(pool, id)) return;
          throw new RefusedError('There is no API key with this id: `milepost keys list` shows the ids.');
        }),
      );
      process.stderr.write(`${id} is revoked.\n`);
    });
}
