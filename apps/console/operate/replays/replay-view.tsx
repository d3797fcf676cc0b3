import { useState } from 'preact/hooks';
import { PageHead } from '../../shared/page.tsx';
import { RequestPanel } from '../../shared/request-panel.tsx';
import { FailureView, Loading } from '../../shared/states.tsx';
import { whole } from '../figures.ts';
import { status, tick } from '../live/follow-status.ts';
import { AUTHORIZATION, type Replay, replay as replayQuestion } from '../requests.ts';
import { At } from '../times.tsx';
import { useLatest } from '../use-latest.ts';
import { Actions } from './actions.tsx';
import { Phases } from './phases.tsx';
import { hasEnded, Progress, stateText } from './progress.tsx';
import { replaysVersion } from './replays-view.tsx';
import { VerificationReport } from './verification-report.tsx';

function Facts({ replay }: { replay: Replay }) {
  const { projection, kind, requested_by, created_at, finished_at, generations, promote, cutoff } = replay;
  return (
    <dl class="facts">
      <dt>Projection</dt>
      <dd>{projection}</dd>
      <dt>Kind</dt>
      <dd>{kind === 'build' ? 'builds anew' : 'rolls back'}</dd>
      <dt>Asked by</dt>
      <dd>{requested_by}</dd>
      <dt>Started</dt>
      <dd>
        <At time={created_at} />
      </dd>
      <dt>Ended</dt>
      <dd>
        <At time={finished_at} />
      </dd>
      <dt>Promotion</dt>
      <dd>{promote ? 'by itself, once verified' : 'when an operator asks'}</dd>
      {cutoff !== null && (
        <>
          <dt>Leaves out</dt>
          <dd>rows before {cutoff}</dd>
        </>
      )}
      <dt>Generations</dt>
      <dd>
        {generations
          .map(
            (each) =>
              `${each.projection} ${each.generation} (version ${each.version}, position ${whole(each.checkpoint)})`,
          )
          .join('; ')}
      </dd>
    </dl>
  );
}

/** One replay as it stands: followed live until it has ended. */
export function ReplayView({ id }: { id: number }) {
  const question = replayQuestion(id);
  const [asked, setAsked] = useState(0);
  const isOpen = status.value?.replays.some((one) => one.id === id) ?? false;
  const { answer, failure } = useLatest(question, `${asked} ${isOpen ? tick.value : replaysVersion()}`);
  return (
    <>
      <PageHead title={`Replay ${id}`}>
        {answer && <Actions replay={answer} onDone={() => setAsked(asked + 1)} />}
      </PageHead>
      {failure && <FailureView failure={failure} />}
      {!answer && !failure && <Loading what="the replay" />}
      {answer && (
        <>
          <p class="headline" role="status">
            <b>{stateText(answer)}</b>
            {answer.live && <b class="tag">live</b>}
          </p>
          <Phases replay={answer} />
          {answer.error !== null && (
            <p class="health ill" role="alert">
              {answer.error}
            </p>
          )}
          {!hasEnded(answer) && <Progress replay={answer} label={`Replay ${id}`} />}
          <Facts replay={answer} />
          {answer.verification && <VerificationReport verification={answer.verification} />}
        </>
      )}
      <RequestPanel questions={[question]} answers={[answer]} authorization={AUTHORIZATION} />
    </>
  );
}
