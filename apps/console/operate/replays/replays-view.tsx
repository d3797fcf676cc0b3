import { column } from '../../shared/columns.ts';
import { type Column, DataTable } from '../../shared/data-table.tsx';
import { countText, NONE } from '../../shared/format.ts';
import { Loaded } from '../../shared/loaded.tsx';
import { PageHead } from '../../shared/page.tsx';
import { Empty } from '../../shared/states.tsx';
import { reads, type Schemas } from '../api.ts';
import { timeColumn } from '../columns.tsx';
import { hrefOf } from '../lane.ts';
import { status } from '../live/follow-status.ts';
import { OpenReplays } from './open-replays.tsx';
import { stateText } from './progress-text.ts';
import { StartReplay } from './start-replay.tsx';

type Row = Schemas['ReplayListAnswer']['replays'][number];

function verificationText({ verification }: Row): string {
  if (verification === null) return NONE;
  if (verification.equal) return 'equal';
  return `${countText(verification.differences, 'difference')}${verification.expected ? ', expected' : ''}`;
}

const COLUMNS: Column<Row>[] = [
  column('id', 'Replay', (id, { kind }) => (
    <a href={hrefOf({ view: 'replay', id })}>
      {id}
      {kind === 'roll_back' && ' (roll back)'}
    </a>
  )),
  column('projection', 'Projection'),
  {
    name: 'phase',
    title: 'State',
    value: stateText,
    cell: (row) => (
      <>
        {stateText(row)}
        {row.live && <b class="tag">live</b>}
      </>
    ),
  },
  { name: 'verification', title: 'Verification', value: verificationText },
  column('requested_by', 'Requested by'),
  timeColumn('created_at', 'Started'),
  timeColumn('finished_at', 'Ended'),
];

/** The running and the latest replays. */
export function ReplaysView() {
  const open = status.value?.replays ?? [];
  return (
    <>
      <PageHead title="Replays">
        <StartReplay />
      </PageHead>
      {open.length > 0 && <OpenReplays replays={open} />}
      <Loaded request={reads.replayPage(null)} what="replays">
        {({ replays, next_before }) =>
          replays.length === 0 ? (
            <Empty title="No replays yet">
              A replay builds new generations of read tables from the event log, alongside the live ones.
            </Empty>
          ) : (
            <section>
              <h2>All replays, newest first</h2>
              <DataTable caption="Replays" columns={COLUMNS} rows={replays} />
              {next_before !== null && <p class="quiet">The list shows the newest {replays.length}.</p>}
            </section>
          )
        }
      </Loaded>
    </>
  );
}
