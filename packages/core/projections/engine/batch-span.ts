import { notNull, statement, type Transaction, text } from '@milepost/postgres';
import { isTracing, linksTo, type OpenSpan, openSpan } from '@milepost/tracing';
import type { PositionRange } from './fill.ts';

/** More than the number of links that a span may have, because several stored events can belong to the same span. */
const MAX_TRACEPARENTS = 256;

const FIND_TRACEPARENTS = statement('find-traceparents', { traceparent: notNull(text) })`
  SELECT traceparent FROM stored_event WHERE position > $1 AND position <= $2 AND traceparent IS NOT NULL
  LIMIT ${MAX_TRACEPARENTS}`;

/**
 * Begins a batch's span, which covers everything up to the commit. The span has links to the stored events' traces,
 * which are read only when tracing is on.
 *
 * @returns undefined when tracing is off, or when there is nothing to apply
 */
export async function openProjecting(
  transaction: Transaction,
  range: PositionRange | null,
): Promise<OpenSpan | undefined> {
  if (range === null || !isTracing()) return undefined;
  const { after, through } = range;
  const found = await transaction.rows(FIND_TRACEPARENTS, [after, through]);
  return openSpan('project', () => ({
    links: linksTo(found.map(({ traceparent }) => traceparent)),
    attributes: { 'milepost.position.after': after, 'milepost.position.through': through },
  }));
}
