import { acceptedInWords, acceptSource } from '@milepost/operations/sources';
import { type Command, InvalidArgumentError } from 'commander';
import { printJson } from '../output.ts';
import { addOperation } from './command.ts';

interface Source {
  topic: string;
  partition: number;
}

function source(text: string, previous: Source[] = []): Source[] {
  const [, topic, partition] = /^([\w.-]{1,249})\/(\d{1,9})$/.exec(text) ?? [];
  if (topic === undefined)
    throw new InvalidArgumentError('It must be a topic and a partition, such as milepost.trips/0.');
  return [...previous, { topic, partition: Number(partition) }];
}

/** Adds `milepost sources accept`, which resumes partitions that ingest has stopped reading. */
export function register(program: Command): void {
  addOperation(program, acceptSource, {
    own: ['topic', 'partition'],
    options: (command) => command.argument('<sources...>', 'TOPIC/PARTITION', source),
    inputs: ({ sources, ...others }) => (Array.isArray(sources) ? sources.map((each) => ({ ...each, ...others })) : []),
    json: '{topic, partition, abandoned_offset, next_offset} for each',
    examples: ['milepost sources accept milepost.trips/0 milepost.trips/1 --from beginning'],
    async run({ call, inputs }, { json }) {
      for (const input of inputs) {
        const { answer } = await call(input);
        if (json) printJson(answer);
        else process.stdout.write(`${acceptedInWords(answer)}\n`);
      }
    },
  });
}
