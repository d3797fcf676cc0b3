import Type from 'typebox';
import { HANDED_OVER, handOver } from './handover.ts';
import { operation } from './operation.ts';

export const runRetention = operation({
  name: 'retention.run',
  command: 'retention',
  path: '/retention',
  summary: 'Run retention',
  description:
    'Does now what is done every hour anyway: leaves rows out of the read tables that nobody can ask for any more, by a replay of each table concerned, and drops generations that were kept long enough for a roll back. The event log keeps everything; `milepost archive` writes ranges of it to files, which is a matter for the command line, as the files stay with whoever asks for them.',
  input: Type.Object({}),
  answer: Type.Object({ detail: Type.String({ description: 'Where to see what comes of it.' }) }),
  ...HANDED_OVER,
  async run({ enqueue, mention }) {
    await handOver(enqueue, { kind: 'retention' });
    const list = mention.operation('replay.list');
    return {
      answer: { detail: `${list} shows those that it begins, requested by \`retention\`.` },
      location: '/replays',
    };
  },
});

export const operations = [runRetention];
