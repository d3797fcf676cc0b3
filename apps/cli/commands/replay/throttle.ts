import type { Throttle } from '@milepost/replay';
import type { Command } from 'commander';
import { examples, wholeNumber } from '../../arguments.ts';
import { throttle } from '../../replay/rate.ts';

/** `milepost replay throttle`: how fast a replay may go, from now on. */
export function addThrottle(replay: Command): void {
  replay
    .command('throttle')
    .description('Change how fast a replay may go, while it goes.')
    .argument('<id>', 'the id that `milepost replay list` shows', wholeNumber(1))
    .argument('<rate>', 'trips per second, or auto: as readers allow, or off: as fast as it can', throttle)
    .option('--json', 'print what `milepost replay show --json` prints')
    .addHelpText('after', examples('milepost replay throttle 7 5000', 'milepost replay throttle 7 auto'))
    .action(async (id: number, rate: Throttle, options: { json?: true }) => {
      const [{ throttleReplay }, { sendRequest }] = await Promise.all([
        import('@milepost/replay'),
        import('../../replay/send.ts'),
      ]);
      await sendRequest(
        {
          action: 'replay.throttle',
          parameters: { id, throttle: rate },
          async ask(pool) {
            await throttleReplay(pool, id, rate);
            return id;
          },
          announce: false,
          printsId: false,
          accepted: () => `The throttle of replay ${id} is ${typeof rate === 'number' ? `${rate} trips/s` : rate} now.`,
          goal: 'built',
        },
        options,
      );
    });
}
