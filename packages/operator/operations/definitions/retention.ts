import Type from 'typebox';
import { HANDED_OVER, handOver } from '../language/handover.ts';
import { operation } from '../language/operation.ts';
import { Text } from '../language/schemas.ts';

export const runRetention = operation({
  name: 'retention.run',
  command: 'retention',
  path: '/retention',
  summary: 'Run retention',
  description:
    'Runs retention now, in the named lane or in all lanes; it also runs every hour. With a replay of each table, it removes rows that no request can reach, and it drops replaced generations whose retention time for a rollback has passed. The event log keeps everything. The command `milepost archive` writes ranges of the event log to files. There is no request for this command, because the files are on the machine of the operator.',
  input: Type.Object({}),
  answer: Type.Object({
    detail: Text(
      'A sentence that says where to find the result.',
      'The list of replays shows the replays that retention starts.',
    ),
  }),
  ...HANDED_OVER,
  async run({ enqueue }) {
    await handOver(enqueue, { kind: 'retention' });
    return {
      answer: {
        detail: 'The list of replays shows the replays that retention starts, with `retention` as the requester.',
      },
      location: '/replays',
    };
  },
});

export const operations = [runRetention];
