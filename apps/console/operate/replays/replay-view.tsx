import { useQuery } from '@tanstack/preact-query';
import { type Fact, Facts } from '../../shared/facts.tsx';
import { PageHead } from '../../shared/page.tsx';
import { RequestPanel } from '../../shared/request-panel.tsx';
import { QueryState } from '../../shared/states.tsx';
import { type Replay, reads } from '../api.ts';
import { integerText } from '../text.ts';
import { Timestamp } from '../timestamp.tsx';
import { Actions } from './actions.tsx';
import { Phases } from './phases.tsx';
import { Progress } from './progress.tsx';
import { stateText } from './progress-text.ts';
import { VerificationReport } from './verification-report.tsx';

function factsOf(replay: Replay): Fact[] {
  const { projection, kind, requested_by, created_at, finished_at, generations, promote, cutoff } = replay;
  const built = generations.map(
    (each) =>
      `${each.projection} ${each.generation} (version ${each.version}, position ${integerText(each.checkpoint)})`,
  );
  return [
    ['Projection', projection],
    ['Kind', kind === 'build' ? 'build' : 'roll back'],
    ['Requested by', requested_by],
    ['Started', <Timestamp time={created_at} />],
    ['Ended', <Timestamp time={finished_at} />],
    ['Promotion', promote ? 'automatic after verification' : 'on request'],
    ...(cutoff === null ? [] : [['Omits', `rows before ${cutoff}`] satisfies Fact]),
    ['Generations', built.join('; ')],
  ];
}

/** A replay. It is updated live until it ends. */
export function ReplayView({ id }: { id: number }) {
  const request = reads.replay(id);
  const { data, error } = useQuery(request);
  return (
    <>
      <PageHead title={`Replay ${id}`}>{data && <Actions replay={data} />}</PageHead>
      <QueryState data={data} error={error} what="the replay" />
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
          <Progress replay={data} label={`Replay ${id}`} />
          <Facts facts={factsOf(data)} />
          {data.verification && <VerificationReport verification={data.verification} />}
        </>
      )}
      <RequestPanel requests={[request]} data={[data]} />
    </>
  );
}
