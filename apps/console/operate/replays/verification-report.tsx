import { column, computedColumn } from '../../shared/columns.ts';
import { type Column, DataTable } from '../../shared/data-table.tsx';
import { countText, NONE } from '../../shared/format.ts';
import type { Schemas } from '../api.ts';
import { codeColumn } from '../columns.tsx';
import { TableSection } from '../table-section.tsx';
import { integerText } from '../text.ts';
import { Timestamp } from '../timestamp.tsx';
import { DifferenceDays } from './difference-days.tsx';
import { WhatIf } from './what-if.tsx';

type Table = Schemas['TableVerification'];
type Sample = Table['samples'][number];

function resultOf({ equal, expected, differences }: Pick<Table, 'equal' | 'expected' | 'differences'>): string {
  if (equal) return 'equal';
  return `${countText(differences, 'difference')}, ${expected ? 'expected from a new version' : 'not expected'}`;
}

const TABLE_COLUMNS: Column<Table>[] = [
  column('projection', 'Projection'),
  {
    name: 'result',
    title: 'Result',
    value: resultOf,
    cell: (table) => <span class={table.expected ? '' : 'fault'}>{resultOf(table)}</span>,
  },
  { name: 'live', title: 'Live', value: ({ live }) => `generation ${live.generation}, version ${live.version}` },
  computedColumn('live_rows', 'Rows', ({ live }) => live.rows, integerText),
  {
    name: 'replayed',
    title: 'Replayed',
    value: ({ replayed }) => `generation ${replayed.generation}, version ${replayed.version}`,
  },
  computedColumn('replayed_rows', 'Rows', ({ replayed }) => replayed.rows, integerText),
];

const SAMPLE_COLUMNS: Column<Sample>[] = [
  codeColumn('key', 'Row'),
  column('day', 'Day'),
  column('live', 'Live', (live) => <code>{live ?? NONE}</code>),
  column('replayed', 'Replayed', (replayed) => <code>{replayed ?? NONE}</code>),
];

function Differences({ table }: { table: Table }) {
  const { changes } = table;
  return (
    <section>
      <h2>Differences of {table.projection}</h2>
      <DifferenceDays
        days={table.differing_days.map(({ day, live_rows: before, replayed_rows: after }) => ({ day, before, after }))}
        total={table.differing_day_count}
        before="live"
        after="replayed"
      />
      {changes && <WhatIf changes={changes} />}
      {table.samples.length > 0 && (
        <details>
          <summary>{countText(table.samples.length, 'row')} with differences</summary>
          <DataTable
            caption={`Rows of ${table.projection} that differ`}
            columns={SAMPLE_COLUMNS}
            rows={table.samples}
            keyOf={({ key, day }) => `${key} ${day}`}
          />
        </details>
      )}
    </section>
  );
}

/** How the new generations compare with the live ones. */
export function VerificationReport({ verification }: { verification: Schemas['Verification'] }) {
  const { position, compared_at, cutoff, tables } = verification;
  return (
    <>
      <TableSection title="Verification" columns={TABLE_COLUMNS} rows={tables}>
        <p class="quiet">
          Compared at position {integerText(position)}, <Timestamp time={compared_at} />
          {cutoff !== null && `; rows before ${cutoff} are omitted`}.
        </p>
      </TableSection>
      {tables
        .filter(({ equal }) => !equal)
        .map((table) => (
          <Differences key={table.projection} table={table} />
        ))}
    </>
  );
}
