import { useQuery } from '@tanstack/preact-query';
import { column } from '../../shared/columns.ts';
import { type Column, DataTable } from '../../shared/data-table.tsx';
import { countText, NONE } from '../../shared/format.ts';
import { PageHead } from '../../shared/page.tsx';
import { RequestPanel } from '../../shared/request-panel.tsx';
import { Empty, QueryState } from '../../shared/states.tsx';
import { type ReplayList, reads } from '../api.ts';
import { timeColumn } from '../columns.tsx';
import { hrefOf } from '../lane.ts';
import { status } from '../live/follow-status.ts';
import { OpenReplays } from './open-replays.tsx';
import { stateText } from './progress-text.ts';
import { StartReplay } from './start-replay.tsx';

type Row = ReplayList['replays'][number];

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
  const request = reads.replayPage(null);
  const { data, error } = useQuery(request);
  const open = status.value?.replays ?? [];
  return (
    <>
      <PageHead title="Replays">
        <StartReplay />
      </PageHead>
      {open.length > 0 && <OpenReplays replays={open} />}
      <QueryState data={data} error={error} what="replays" />
      {data?.replays.length === 0 && (
        <Empty title="No replays yet">
          A replay builds new generations of read tables from the event log, alongside the live ones.
        </Empty>
      )}
      {data && data.replays.length > 0 && (
        <section>
          <h2>All replays, newest first</h2>
          <DataTable caption="Replays" columns={COLUMNS} rows={data.replays} />
          {data.next_before !== null && <p class="quiet">The list shows the newest {data.replays.length}.</p>}
        </section>
      )}
      <RequestPanel requests={[request]} data={[data]} />
    </>
  );
}
