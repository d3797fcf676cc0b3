import { PageHead } from '../../shared/page.tsx';
import { RequestPanel } from '../../shared/request-panel.tsx';
import { Loading } from '../../shared/states.tsx';
import { counted } from '../figures.ts';
import { FigureChart } from '../live/figure-chart.tsx';
import { observations, status } from '../live/follow-status.ts';
import { rateNow, ratesOf } from '../live/rates.ts';
import { OpenReplays } from '../replays/open-replays.tsx';
import { AUTHORIZATION, statusNow } from '../requests.ts';
import { Health } from './health.tsx';
import { LettersByReason } from './letters-by-reason.tsx';
import { Projections } from './projections.tsx';
import { Sources } from './sources.tsx';
import { Warnings } from './warnings.tsx';

function Rates() {
  const seen = observations.value;
  const last = seen.at(-1);
  return (
    <section>
      <h2>Rates of the last five minutes</h2>
      <div class="figures">
        <FigureChart
          title="Records read"
          unit="a second"
          now={rateNow(seen, 'next_offsets')}
          values={ratesOf(seen, 'next_offsets')}
        />
        <FigureChart
          title="Events stored"
          unit="a second"
          now={rateNow(seen, 'head_position')}
          values={ratesOf(seen, 'head_position')}
        />
        <FigureChart
          title="Events applied"
          unit="a second"
          now={rateNow(seen, 'checkpoint')}
          values={ratesOf(seen, 'checkpoint')}
        />
        <FigureChart
          title="Largest lag"
          unit="seconds"
          now={last?.lag_seconds ?? null}
          values={seen.map(({ lag_seconds }) => lag_seconds)}
          digits={1}
        />
      </div>
    </section>
  );
}

/** How far everything has come, followed live. */
export function GlanceView() {
  const now = status.value;
  return (
    <>
      <PageHead title="Pipeline at a glance" />
      <Health />
      {now === null ? (
        <Loading what="the status" />
      ) : (
        <>
          <p class="headline">
            The log ends at position <b class="head-position">{now.head_position.toLocaleString('en-GB')}</b>.{' '}
            {counted(now.dead_letters, 'dead letter')} open.
          </p>
          <Rates />
          {now.replays.length > 0 && <OpenReplays replays={now.replays} />}
          <Sources sources={now.sources} />
          <Projections projections={now.projections} />
          <LettersByReason open={now.dead_letters} />
          {now.warnings.length > 0 && <Warnings warnings={now.warnings} />}
        </>
      )}
      <RequestPanel questions={[statusNow()]} answers={[now ?? undefined]} authorization={AUTHORIZATION} />
    </>
  );
}
