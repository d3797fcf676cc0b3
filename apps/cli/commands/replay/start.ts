import type { Throttle } from '@milepost/replay';
import type { Command } from 'commander';
import { examples } from '../../arguments.ts';
import { UsageError } from '../../failure.ts';
import { throttle } from '../../replay/rate.ts';
import type { SendOptions } from '../../replay/send.ts';

interface Options extends SendOptions {
  promote?: true;
  acceptDifferences?: true;
  throttle: Throttle;
}

async function start(projection: string, options: Options): Promise<void> {
  const [{ startReplay }, { PROJECTIONS }, { assertProjection }, { sendRequest }, { operatingSystemUser }] =
    await Promise.all([
      import('@milepost/replay'),
      import('@milepost/projections'),
      import('../../replay/desk.ts'),
      import('../../replay/send.ts'),
      import('../../operator.ts'),
    ]);
  if (options.acceptDifferences && !options.promote) throw new UsageError('--accept-differences goes with --promote.');
  assertProjection(projection);
  const wanted = {
    projection,
    promote: options.promote === true,
    acceptDifferences: options.acceptDifferences === true,
    throttle: options.throttle,
  };
  const { acceptDifferences: accept_differences, ...parameters } = wanted;
  await sendRequest(
    {
      action: 'replay.start',
      parameters: { ...parameters, accept_differences },
      async ask(pool) {
        const { id, created } = await startReplay(pool, PROJECTIONS, { ...wanted, requestedBy: operatingSystemUser() });
        if (!created) {
          process.stderr.write(
            `Replay ${id} of ${projection} was under way already, or waited and is verified anew. It takes over --promote and --accept-differences; only its throttle stays as it was: \`milepost replay show ${id}\`.\n`,
          );
        }
        return id;
      },
      announce: true,
      printsId: true,
      describe: (id) => `replay ${id}`,
      accepted: (id) => `\`milepost replay watch ${id}\` shows how it goes on.`,
      goal: 'built',
    },
    options,
  );
}

/** `milepost replay start`: a new generation beside the live one. */
export function addStart(replay: Command): void {
  replay
    .command('start')
    .description('Build the read table of a projection, or all of them, anew beside the live ones; print its id.')
    .argument('<projection>', "a projection's name as `milepost status` shows it, several separated by commas, or all")
    .option('--promote', 'make it live once it is verified, unless something unexpected differs')
    .option('--accept-differences', 'with --promote: whatever differs')
    .option(
      '--throttle <rate>',
      'trips per second, or auto: as readers allow, or off: as fast as it can',
      throttle,
      'auto',
    )
    .option('--wait', 'return when it rests: verified and waiting, or promoted')
    .option('--json', 'print what `milepost replay show --json` prints')
    .addHelpText(
      'after',
      examples(
        'milepost replay start all --promote --wait',
        'milepost replay start daily_rollups,weekly_rollups --throttle 5000',
      ),
    )
    .action(start);
}
