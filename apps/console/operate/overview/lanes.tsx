import { column, computedColumn } from '../../shared/columns.ts';
import type { Column } from '../../shared/data-table.tsx';
import type { Schemas, Status } from '../api.ts';
import { hrefOf } from '../lane.ts';
import { NO_FILTER } from '../route.ts';
import { TableSection } from '../table-section.tsx';
import { integerText, secondsText } from '../text.ts';

type Figures = Schemas['LaneStatus'];

interface Row {
  lane: number;
  /** Null for a lane that does not respond. */
  figures: Figures | null;
}

/** The largest lag of the projections, in seconds. */
function lagOf({ projections }: Figures): number {
  return Math.max(0, ...projections.map(({ lag_seconds }) => lag_seconds));
}

/** What is wrong with the lane or, if nothing is, with its first faulty projection or source. */
function faultOf(figures: Figures | null): string | null {
  if (figures === null) return 'does not respond';
  const failures = figures.projections.map(({ failure }) => failure);
  const faults = figures.sources.map(({ fault }) => fault);
  return [...failures, ...faults].find((text) => text !== null) ?? null;
}

const COLUMNS: Column<Row>[] = [
  column('lane', 'Lane', (lane) => <a href={hrefOf({ view: 'overview' }, lane)}>Lane {lane}</a>),
  computedColumn('head_position', 'Last position', ({ figures }) => figures?.head_position ?? null, integerText),
  computedColumn('lag_seconds', 'Largest lag', ({ figures }) => figures && lagOf(figures), secondsText),
  {
    name: 'dead_letters',
    title: 'Open dead letters',
    isNumber: true,
    value: ({ figures }) => figures?.dead_letters ?? null,
    cell: ({ lane, figures }) => (
      <a href={hrefOf({ view: 'dead-letters', filter: NO_FILTER }, lane)}>
        {integerText(figures?.dead_letters ?? null)}
      </a>
    ),
  },
  {
    name: 'state',
    title: 'State',
    value: ({ figures }) => faultOf(figures),
    cell: ({ figures }) => {
      const fault = faultOf(figures);
      return fault === null ? 'running' : <b class="fault">{fault}</b>;
    },
  },
];

/** The state of each lane, with a link to it. */
export function Lanes({ status: { lanes, unavailable_lanes } }: { status: Status }) {
  const rows = [
    ...lanes.map((figures) => ({ lane: figures.lane, figures })),
    ...unavailable_lanes.map((lane) => ({ lane, figures: null })),
  ].sort((one, other) => one.lane - other.lane);
  return <TableSection title="Lanes" columns={COLUMNS} rows={rows} rowsPerPage={64} />;
}
