import type { Command } from 'commander';
import { examples } from '../../arguments.ts';
import type { SendOptions } from '../../replay/send.ts';

async function rollback(projection: string, options: SendOptions): Promise<void> {
  const [{ rollBack, showReplay }, { PROJECTIONS }, { assertProjection }, { sendRequest }, operator, generations] =
    await Promise.all([
      import('@milepost/replay'),
      import('@milepost/projections'),
      import('../../replay/desk.ts'),
      import('../../replay/send.ts'),
      import('../../operator.ts'),
      import('../../replay/generation-changes.ts'),
    ]);
  const requestedBy = operator.operatingSystemUser();
  assertProjection(projection);
  await sendRequest(
    {
      action: 'replay.rollback',
      parameters: { projection },
      async ask(pool) {
        // Before the request: a moment after it, what it asks for may be live.
        const live = await generations.liveGenerations(pool);
        const { id, created } = await rollBack(pool, PROJECTIONS, { projection, requestedBy });
        const view = await showReplay(pool, PROJECTIONS, id);
        process.stderr.write(`Generations: ${generations.generationChanges(live, view.generations)}.\n`);
        if (!created) process.stderr.write(`Roll back ${id} of ${projection} was under way already.\n`);
        return id;
      },
      announce: true,
      printsId: true,
      describe: (id) => `replay ${id}`,
      accepted: (id) => `\`milepost replay watch ${id}\` shows how it goes on.`,
      goal: 'promoted',
    },
    options,
  );
}

/** `milepost replay rollback`: what the last promotion replaced, brought up to date and live again. */
export function addRollback(replay: Command): void {
  replay
    .command('rollback')
    .description(
      'Make live again what the last promotion replaced, brought up to date first; print the id of this replay.',
    )
    .argument('<projection>', "a projection's name as `milepost status` shows it, or all")
    .option('--wait', 'return when it is live, or rests otherwise')
    .option('--json', 'print what `milepost replay show --json` prints')
    .addHelpText('after', examples('milepost replay rollback all --wait'))
    .action(rollback);
}
