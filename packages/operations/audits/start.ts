import Type from 'typebox';
import { Accepted, accept, acceptedStatuses } from '../accepted.ts';
import { operation } from '../operation.ts';

export const startAudit = operation({
  name: 'audit.start',
  command: 'audit',
  method: 'POST',
  path: '/audits',
  tag: 'Audits',
  summary: 'Start an audit',
  description:
    'Has the live read tables recounted from the log now, as is done every AUDIT_INTERVAL_MINUTES anyway. The result is the newest of `GET /audits` once it is there.',
  input: Type.Object({}),
  answer: Accepted,
  statuses: acceptedStatuses,
  change: 'recorded',
  refusals: ['queue_unavailable'],
  async run(context) {
    const detail = `${context.mention.operation('audit.list')} shows the result once it is there.`;
    return await accept(context, { kind: 'audit' }, '/audits', detail);
  },
});
