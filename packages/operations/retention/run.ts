import Type from 'typebox';
import { Accepted, accept, acceptedStatuses } from '../accepted.ts';
import { operation } from '../operation.ts';

export const runRetention = operation({
  name: 'retention.run',
  command: 'retention',
  method: 'POST',
  path: '/retention',
  tag: 'Retention',
  summary: 'Run retention',
  description:
    'Does now what is done every hour anyway: leaves rows out of the read tables that nobody can ask for any more, by a replay of each table concerned, and drops generations that were kept long enough for a roll back. The event log keeps everything; `milepost archive` writes ranges of it to files, which is a matter for the command line, as the files stay with whoever asks for them.',
  input: Type.Object({}),
  answer: Accepted,
  statuses: acceptedStatuses,
  change: 'recorded',
  refusals: ['queue_unavailable'],
  async run(context) {
    const detail = `${context.mention.operation('replay.list')} shows those that it begins, requested by \`retention\`.`;
    return await accept(context, { kind: 'retention' }, '/replays', detail);
  },
});
