import { useQuery } from '@tanstack/preact-query';
import { PageHead } from '../../shared/page.tsx';
import { RequestPanel } from '../../shared/request-panel.tsx';
import { FailureView, Loading } from '../../shared/states.tsx';
import { AUTHORIZATION, type Replay, replayDetail } from '../api.ts';
import { integerText } from '../text.ts';
import { Timestamp } from '../timestamp.tsx';
import { Actions } from './actions.tsx';
import { Phases } from './phases.tsx';
import { Progress } from './progress.tsx';
import { hasEnded, stateText } from './progress-text.ts';
import { VerificationReport } from './verification-report.tsx';

function Facts({ replay }: { replay: Replay }) {
  const { projection, kind, requested_by, created_at, finished_at, generations, promote, cutoff } = replay;
  return (
    <dl class="facts">
      <dt>Projection</dt>
      <dd>{projection}</dd>
      <dt>Kind</dt>
      <dd>{kind === 'build' ? 'build' : 'roll back'}</dd>
      <dt>Requested by</dt>
      <dd>{requested_by}</dd>
      <dt>Started</dt>
      <dd>
        <Timestamp time={created_at} />
      </dd>
      <dt>Ended</dt>
      <dd>
        <Timestamp time={finished_at} />
      </dd>
      <dt>Promotion</dt>
      <dd>{promote ? 'automatic after verification' : 'on request'}</dd>
      {cutoff !== null && (
        <>
          <dt>Omits</dt>
          <dd>rows before {cutoff}</dd>
        </>
      )}
      <dt>Generations</dt>
      <dd>
        {generations
          .map(
            (each) =>
              `${each.projection} ${each.generation} (version ${each.version}, position ${integerText(each.checkpoint)})`,
          )
          .join('; ')}
      </dd>
    </dl>
  );
}

/** A replay. It is updated live until it ends. */
export function ReplayView({ id }: { id: number }) {
  const request = replayDetail(id);
  const { data, error } = useQuery(request);
  return (
    <>
      <PageHead title={`Replay ${id}`}>{data && <Actions replay={data} />}</PageHead>
      {error && <FailureView failure={error.failure} />}
      {!data && !error && <Loading what="the replay" />}
      {data && (
        <>
          <p class="headline" role="status">
            <b>{stateText(data)}</b>
            {data.live && <b class="tag">live</b>}
          </p>
          <Phases replay={data} />
          {data.error !== null && (
            <p class="health ill" role="alert">
              {data.error}
            </p>
          )}
          {!hasEnded(data) && <Progress replay={data} label={`Replay ${id}`} />}
          <Facts replay={data} />
          {data.verification && <VerificationReport verification={data.verification} />}
        </>
      )}
      <RequestPanel requests={[request]} data={[data]} authorization={AUTHORIZATION} />
    </>
  );
}
