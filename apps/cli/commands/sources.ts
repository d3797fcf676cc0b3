import type { Start } from '@milepost/operations/sources';
import { type Command, InvalidArgumentError } from 'commander';
import { examples, wholeNumber } from '../arguments.ts';
import { printJson } from '../output/json.ts';

interface Source {
  topic: string;
  partition: number;
}

function source(text: string, previous: Source[] = []): Source[] {
  const [, topic, partition] = /^([\w.-]{1,249})\/(\d{1,9})$/.exec(text) ?? [];
  if (topic === undefined)
    throw new InvalidArgumentError('It must be a topic and a partition, as in milepost.trips/0.');
  return [...previous, { topic, partition: Number(partition) }];
}

function start(text: string): Start {
  return text === 'beginning' ? text : wholeNumber(0)(text);
}

async function accept(sources: Source[], { from, json }: { from: Start; json?: true }): Promise<void> {
  const [{ ROLES }, { withPool }, { recordedCommand }, { acceptSource, acceptedInWords }] = await Promise.all([
    import('@milepost/postgres'),
    import('../database.ts'),
    import('../operator.ts'),
    import('@milepost/operations/sources'),
  ]);
  await withPool(ROLES.operator, async (pool) => {
    for (const { topic, partition } of sources) {
      const work = () => acceptSource(pool, topic, partition, from);
      const accepted = await recordedCommand(pool, 'sources.accept', { topic, partition, from }, work, acceptedInWords);
      if (json) printJson(accepted);
      else process.stdout.write(`${acceptedInWords(accepted)}\n`);
    }
  });
}

/** `milepost sources accept`: settles a partition that ingest has stopped. */
export function addSources(program: Command): void {
  program
    .command('sources')
    .description('Settle the partitions of topics that stand still; `milepost status` shows them, with the cause.')
    .helpCommand(false)
    .command('accept')
    .description('Have partitions go on elsewhere, and so accept that what lies between is never read.')
    .argument('<sources...>', 'TOPIC/PARTITION', source)
    .requiredOption('--from <start>', 'beginning, for the oldest record that the broker holds, or an offset', start)
    .option('--json', 'print {topic, partition, abandoned_offset, next_offset} for each')
    .addHelpText('after', examples('milepost sources accept milepost.trips/0 milepost.trips/1 --from beginning'))
    .action(accept);
}
