import { type Column, DataTable } from '../../shared/data-table.tsx';
import { secondsText, whole } from '../figures.ts';
import type { Status } from '../requests.ts';

type Projection = Status['projections'][number];

const COLUMNS: Column<Projection>[] = [
  { name: 'name', title: 'Projection', value: ({ name }) => name },
  { name: 'version', title: 'Version', isNumber: true, value: ({ version }) => version },
  { name: 'generation', title: 'Generation', isNumber: true, value: ({ generation }) => generation },
  {
    name: 'checkpoint',
    title: 'Checkpoint',
    isNumber: true,
    value: ({ checkpoint }) => checkpoint,
    cell: ({ checkpoint }) => whole(checkpoint),
  },
  {
    name: 'lag_events',
    title: 'Lag (events)',
    isNumber: true,
    value: ({ lag_events }) => lag_events,
    cell: ({ lag_events }) => whole(lag_events),
  },
  {
    name: 'lag_seconds',
    title: 'Lag (time)',
    isNumber: true,
    value: ({ lag_seconds }) => lag_seconds,
    cell: ({ lag_seconds }) => secondsText(lag_seconds),
  },
  {
    name: 'state',
    title: 'State',
    value: ({ failure }) => failure,
    cell: ({ failure, failed_position }) =>
      failure === null ? (
        'applying'
      ) : (
        <span class="fault">
          <b>stands still</b>
          {failed_position !== null && ` at position ${whole(failed_position)}`}: {failure}
        </span>
      ),
  },
];

/** How far the live read tables are. */
export function Projections({ projections }: { projections: readonly Projection[] }) {
  return (
    <section>
      <h2>Projections</h2>
      <DataTable caption="Projections" columns={COLUMNS} rows={projections} keyOf={({ name }) => name} />
    </section>
  );
}
