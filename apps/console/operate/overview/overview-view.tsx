import { countText } from '../../shared/format.ts';
import { PageHead } from '../../shared/page.tsx';
import { RequestPanel } from '../../shared/request-panel.tsx';
import { Loading } from '../../shared/states.tsx';
import { reads } from '../api.ts';
import { FigureChart } from '../live/figure-chart.tsx';
import { observations, status } from '../live/follow-status.ts';
import { rateNow, ratesOf } from '../live/rates.ts';
import { OpenReplays } from '../replays/open-replays.tsx';
import { DeadLettersByReason } from './dead-letters-by-reason.tsx';
import { Health } from './health.tsx';
import { KafkaFindings } from './kafka-findings.tsx';
import { Lanes } from './lanes.tsx';
import { Projections } from './projections.tsx';
import { Sources } from './sources.tsx';
import { Warnings } from './warnings.tsx';

const RATES = [
  { title: 'Records read', figure: 'next_offsets' },
  { title: 'Events stored', figure: 'head_position' },
  { title: 'Events applied', figure: 'checkpoint' },
] as const;

function Rates() {
  const recent = observations.value;
  const last = recent.at(-1);
  return (
    <section>
      <h2>Rates in the last five minutes</h2>
      <div class="figures">
        {RATES.map(({ title, figure }) => (
          <FigureChart
            key={figure}
            title={title}
            unit="per second"
            now={rateNow(recent, figure)}
            values={ratesOf(recent, figure)}
          />
        ))}
        <FigureChart
          title="Largest lag"
          unit="seconds"
          now={last?.lag_seconds ?? null}
          values={recent.map(({ lag_seconds }) => lag_seconds)}
          digits={1}
        />
      </div>
    </section>
  );
}

/** The live state of the pipeline. */
export function OverviewView() {
  const now = status.value;
  const ofAllLanes = now !== null && now.lanes.length + now.unavailable_lanes.length > 1;
  return (
    <>
      <PageHead title="Pipeline overview" />
      <Health />
      {now === null ? (
        <Loading what="the status" />
      ) : (
        <>
          <p class="headline">
            {ofAllLanes ? 'The sum of the last positions of all lanes is' : 'The log ends at position'}{' '}
            <b class="head-position">{now.head_position.toLocaleString('en-GB')}</b>. There{' '}
            {now.dead_letters === 1 ? 'is' : 'are'} {countText(now.dead_letters, 'open dead letter')}.
          </p>
          <Rates />
          {ofAllLanes && <Lanes status={now} />}
          {now.replays.length > 0 && <OpenReplays replays={now.replays} ofAllLanes={ofAllLanes} />}
          {now.kafka_findings.length > 0 && <KafkaFindings findings={now.kafka_findings} />}
          <Sources sources={now.sources} ofAllLanes={ofAllLanes} />
          <Projections projections={now.projections} />
          {!ofAllLanes && <DeadLettersByReason />}
          {now.warnings.length > 0 && <Warnings warnings={now.warnings} />}
        </>
      )}
      <RequestPanel requests={[reads.status()]} data={[now ?? undefined]} />
    </>
  );
}
