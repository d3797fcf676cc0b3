import { useQuery } from '@tanstack/preact-query';
import { column } from '../../shared/columns.ts';
import { type Column, DataTable } from '../../shared/data-table.tsx';
import { QueryState } from '../../shared/states.tsx';
import { reads, type Schemas } from '../api.ts';
import { integerColumn } from '../columns.tsx';
import { hrefOf } from '../lane.ts';
import { NO_FILTER } from '../route.ts';
import { wordsOf } from '../text.ts';

type Group = Schemas['DeadLetterGroup'];
type ReasonCount = Pick<Group, 'reason' | 'dead_letters'>;

function byReason(groups: readonly Group[]): ReasonCount[] {
  const counts = new Map<string, number>();
  for (const { reason, dead_letters } of groups) counts.set(reason, (counts.get(reason) ?? 0) + dead_letters);
  return [...counts]
    .map(([reason, dead_letters]) => ({ reason, dead_letters }))
    .sort((one, other) => other.dead_letters - one.dead_letters);
}

const COLUMNS: Column<ReasonCount>[] = [
  column('reason', 'Reason', (reason) => (
    <a href={hrefOf({ view: 'dead-letters', filter: { ...NO_FILTER, reason } })}>{wordsOf(reason)}</a>
  )),
  integerColumn('dead_letters', 'Open'),
];

/** The number of open dead letters, by reason. */
export function DeadLettersByReason() {
  const { data, error } = useQuery(reads.deadLetterSummary(NO_FILTER));
  return (
    <section>
      <h2>Dead letters</h2>
      <QueryState data={data} error={error} what="dead letters" />
      {data && (
        <DataTable
          caption="Dead letters by reason"
          columns={COLUMNS}
          rows={byReason(data.groups)}
          empty="There are no open dead letters."
        />
      )}
    </section>
  );
}
