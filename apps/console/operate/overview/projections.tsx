import { column, numberColumn } from '../../shared/columns.ts';
import type { Column } from '../../shared/data-table.tsx';
import type { Schemas } from '../api.ts';
import { integerColumn } from '../columns.tsx';
import { TableSection } from '../table-section.tsx';
import { integerText, secondsText } from '../text.ts';

type Projection = Schemas['ProjectionStatus'];

const COLUMNS: Column<Projection>[] = [
  column('name', 'Projection'),
  numberColumn('version', 'Version'),
  numberColumn('generation', 'Generation'),
  integerColumn('checkpoint', 'Checkpoint'),
  integerColumn('lag_events', 'Lag (events)'),
  numberColumn('lag_seconds', 'Lag (time)', secondsText),
  {
    name: 'state',
    title: 'State',
    value: ({ failure }) => failure,
    cell: ({ failure, failed_position }) =>
      failure === null ? (
        'running'
      ) : (
        <span class="fault">
          <b>stopped</b>
          {failed_position !== null && ` at position ${integerText(failed_position)}`}: {failure}
        </span>
      ),
  },
];

/** The checkpoint and lag of each live read table. */
export function Projections({ projections }: { projections: readonly Projection[] }) {
  return <TableSection title="Projections" columns={COLUMNS} rows={projections} />;
}
