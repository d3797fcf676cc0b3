import type { Command } from 'commander';
import { examples } from '../arguments.ts';
import { upSettings } from '../config.ts';

/** `milepost up`: everything in one place. */
export function addUp(program: Command): void {
  program
    .command('up')
    .description(
      "Run everything in one place until Ctrl-C: database (embedded unless DATABASE_URL is set), API, projector, operators' API, and ingest when KAFKA_BROKERS is set.",
    )
    .addHelpText(
      'after',
      examples('milepost up', 'PORT=8080 MILEPOST_HOME=/var/lib/milepost SAMPLE_FLEET=off milepost up'),
    )
    .action(async () => {
      const [{ readChildSettings }, { runUp }] = await Promise.all([
        import('../up/child-settings.ts'),
        import('../up/run.ts'),
      ]);
      await runUp(upSettings(readChildSettings));
    });
}
