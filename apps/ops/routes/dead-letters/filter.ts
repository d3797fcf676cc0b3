import type { QueryString } from '@milepost/http';
import type { OpenDeadLetterFilter } from '@milepost/operations/dead-letters';
import Type from 'typebox';
import { bodyErrors } from '../../request/validate.ts';
import { readWholeNumber } from '../../request/whole-number.ts';
import { filterFields, PARTITIONS } from './schemas.ts';

const { partition: _, ...texts } = filterFields;
const Texts = Type.Object({
  reason: Type.Optional(texts.reason),
  source: Type.Optional(texts.source),
  field: Type.Optional(texts.field),
  fleet_id: Type.Optional(texts.fleet_id),
  since: Type.Optional(texts.since),
  until: Type.Optional(texts.until),
});

/** Filters as requests name them. */
export interface FilterFields {
  reason?: string | undefined;
  source?: string | undefined;
  partition?: number | undefined;
  field?: string | undefined;
  fleet_id?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
}

/** Filters that are right one by one, as the condition that they make together. */
export function toFilter({ fleet_id, since, until, reason, source, field, partition }: FilterFields) {
  const filter: OpenDeadLetterFilter = {
    ...(reason === undefined ? {} : { reason }),
    ...(source === undefined ? {} : { source }),
    ...(partition === undefined ? {} : { partition }),
    ...(field === undefined ? {} : { field }),
    ...(fleet_id === undefined ? {} : { fleet: fleet_id }),
    ...(since === undefined ? {} : { since: new Date(since) }),
    ...(until === undefined ? {} : { until: new Date(until) }),
  };
  return filter;
}

/** The filter in a query string; what is wrong is reported there. */
export async function readFilter(query: QueryString): Promise<OpenDeadLetterFilter> {
  const fields = {
    reason: query.single('reason'),
    source: query.single('source'),
    field: query.single('field'),
    fleet_id: query.single('fleet_id'),
    since: query.single('since'),
    until: query.single('until'),
  };
  for (const { parameter, message } of await bodyErrors(Texts, fields)) query.reject(parameter, message);
  return toFilter({ ...fields, partition: readWholeNumber(query, 'partition', PARTITIONS) });
}
