import { ROLES } from '@milepost/postgres';
import Type from 'typebox';
import { requestRetention } from '../jobs.ts';
import { operation } from '../language/operation.ts';
import { Text } from '../language/schemas.ts';

export const runRetention = operation({
  name: 'retention.run',
  command: 'retention',
  path: '/retention',
  summary: 'Run retention',
  description:
    'Runs retention now, in the named lane or in all lanes; it also runs every hour. It removes rows that no request can reach, by replaying their tables, and drops replaced generations whose retention period has expired. The event log keeps everything.',
  input: Type.Object({}),
  answer: Type.Object({
    detail: Text(
      'A sentence that says where to find the result.',
      'The list of replays shows the replays that retention starts.',
    ),
  }),
  statuses: [[202, 'A worker will soon run retention, unless an earlier request is still open.']],
  change: 'recorded',
  async run({ announce, lanes }) {
    for (const lane of await lanes()) {
      await requestRetention(lane.pool(ROLES.operator));
      announce({ kind: 'retention', lane: lane.number });
    }
    return {
      answer: {
        detail: 'The list of replays shows the replays that retention starts, with `retention` as the requester.',
      },
      location: '/replays',
    };
  },
});

export const operations = [runRetention];
