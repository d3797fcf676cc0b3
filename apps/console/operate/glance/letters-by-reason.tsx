import { type Column, DataTable } from '../../shared/data-table.tsx';
import { FailureView, Loading } from '../../shared/states.tsx';
import { inWords, whole } from '../figures.ts';
import { type DeadLetterGroup, deadLetterCounts } from '../requests.ts';
import { hrefOf, NO_FILTER } from '../route.ts';
import { useLatest } from '../use-latest.ts';

interface ReasonCount {
  reason: string;
  dead_letters: number;
}

function byReason(groups: readonly DeadLetterGroup[]): ReasonCount[] {
  const counts = new Map<string, number>();
  for (const { reason, dead_letters } of groups) counts.set(reason, (counts.get(reason) ?? 0) + dead_letters);
  return [...counts]
    .map(([reason, dead_letters]) => ({ reason, dead_letters }))
    .sort((one, other) => other.dead_letters - one.dead_letters);
}

const COLUMNS: Column<ReasonCount>[] = [
  {
    name: 'reason',
    title: 'Reason',
    value: ({ reason }) => reason,
    cell: ({ reason }) => (
      <a href={hrefOf({ view: 'dead-letters', filter: { ...NO_FILTER, reason } })}>{inWords(reason)}</a>
    ),
  },
  {
    name: 'dead_letters',
    title: 'Open',
    isNumber: true,
    value: ({ dead_letters }) => dead_letters,
    cell: ({ dead_letters }) => whole(dead_letters),
  },
];

/** The open dead letters by reason, counted anew when their number changes. */
export function LettersByReason({ open }: { open: number }) {
  const { answer, failure } = useLatest(deadLetterCounts(NO_FILTER), open);
  return (
    <section>
      <h2>Dead letters</h2>
      {failure && <FailureView failure={failure} />}
      {!answer && !failure && <Loading what="dead letters" />}
      {answer?.groups.length === 0 && <p class="quiet">None is open: every record could be stored, or was settled.</p>}
      {answer && answer.groups.length > 0 && (
        <DataTable
          caption="Dead letters by reason"
          columns={COLUMNS}
          rows={byReason(answer.groups)}
          keyOf={({ reason }) => reason}
        />
      )}
    </section>
  );
}
