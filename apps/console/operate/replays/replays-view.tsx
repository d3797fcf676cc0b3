import { type Column, DataTable } from '../../shared/data-table.tsx';
import { NONE } from '../../shared/format.ts';
import { PageHead } from '../../shared/page.tsx';
import { RequestPanel } from '../../shared/request-panel.tsx';
import { Empty, FailureView, Loading } from '../../shared/states.tsx';
import { counted } from '../figures.ts';
import { status } from '../live/follow-status.ts';
import { AUTHORIZATION, type ReplayList, replayPage } from '../requests.ts';
import { hrefOf } from '../route.ts';
import { At } from '../times.tsx';
import { useLatest } from '../use-latest.ts';
import { OpenReplays } from './open-replays.tsx';
import { stateText } from './progress.tsx';
import { StartReplay } from './start-replay.tsx';

type Row = ReplayList['replays'][number];

function verificationText({ verification }: Row): string {
  if (verification === null) return NONE;
  if (verification.equal) return 'equal';
  return `${counted(verification.differences, 'difference')}${verification.expected ? ', expected' : ''}`;
}

const COLUMNS: Column<Row>[] = [
  {
    name: 'id',
    title: 'Replay',
    value: ({ id }) => id,
    cell: ({ id, kind }) => (
      <a href={hrefOf({ view: 'replay', id })}>
        {id}
        {kind === 'roll_back' && ' (roll back)'}
      </a>
    ),
  },
  { name: 'projection', title: 'Projection', value: ({ projection }) => projection },
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
  { name: 'requested_by', title: 'Asked by', value: ({ requested_by }) => requested_by },
  {
    name: 'created_at',
    title: 'Started',
    value: ({ created_at }) => created_at,
    cell: ({ created_at }) => <At time={created_at} />,
  },
  {
    name: 'finished_at',
    title: 'Ended',
    value: ({ finished_at }) => finished_at,
    cell: ({ finished_at }) => <At time={finished_at} />,
  },
];

/** Tells when the list of replays is another one than before. */
export function replaysVersion(): string {
  return (status.value?.replays ?? []).map(({ id, phase, halted }) => `${id} ${phase} ${halted}`).join();
}

/** The newest replays, and those under way. */
export function ReplaysView() {
  const question = replayPage(null);
  const { answer, failure } = useLatest(question, replaysVersion());
  const open = status.value?.replays ?? [];
  return (
    <>
      <PageHead title="Replays">
        <StartReplay />
      </PageHead>
      {open.length > 0 && <OpenReplays replays={open} />}
      {failure && <FailureView failure={failure} />}
      {!answer && !failure && <Loading what="replays" />}
      {answer?.replays.length === 0 && (
        <Empty title="No replays yet">
          <p>A replay builds read tables anew from the event log, beside the live ones.</p>
        </Empty>
      )}
      {answer && answer.replays.length > 0 && (
        <section>
          <h2>All replays, newest first</h2>
          <DataTable caption="Replays" columns={COLUMNS} rows={answer.replays} keyOf={({ id }) => String(id)} />
          {answer.next_before !== null && <p class="quiet">These are the newest {answer.replays.length}.</p>}
        </section>
      )}
      <RequestPanel questions={[question]} answers={[answer]} authorization={AUTHORIZATION} />
    </>
  );
}
