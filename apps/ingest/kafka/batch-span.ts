import { linksTo, type OpenSpan, openSpan } from '@milepost/tracing';
import type { RawRecord } from '../records/record-reader.ts';

/**
 * Begins a batch's span, which covers everything from the check of its records to the commit. The span has a trace of
 * its own, linked to the traces of the batch's records, even if there is only one record.
 */
export function openBatchSpan(
  { topic, partition }: { topic: string; partition: number },
  records: readonly RawRecord[],
): OpenSpan | undefined {
  return openSpan(`process ${topic}`, () => ({
    kind: 'CONSUMER',
    links: linksTo(records.map(({ traceparent }) => traceparent)),
    attributes: {
      'messaging.system': 'kafka',
      'messaging.operation.name': 'process',
      'messaging.operation.type': 'process',
      'messaging.destination.name': topic,
      'messaging.destination.partition.id': String(partition),
      'messaging.batch.message_count': records.length,
    },
  }));
}
