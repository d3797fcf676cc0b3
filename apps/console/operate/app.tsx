import { Frame, type Place, UnknownView } from '../shared/frame.tsx';
import { hash } from '../shared/hash.ts';
import { key } from '../shared/session.ts';
import { SignIn } from '../shared/sign-in.tsx';
import { AuditView } from './audits/audit-view.tsx';
import { AuditsView } from './audits/audits-view.tsx';
import { DeadLetterView } from './dead-letters/dead-letter-view.tsx';
import { DeadLettersView } from './dead-letters/dead-letters-view.tsx';
import { ErasureView } from './erasure-view.tsx';
import { GlanceView } from './glance/glance-view.tsx';
import { KeysView } from './keys-view.tsx';
import { DriverDayView } from './lineage/driver-day-view.tsx';
import { LineageView } from './lineage/lineage-view.tsx';
import { TripTraceView } from './lineage/trip-trace-view.tsx';
import { LiveMark } from './live/live-mark.tsx';
import { nameOperator, operator } from './operator.ts';
import { ReplayView } from './replays/replay-view.tsx';
import { ReplaysView } from './replays/replays-view.tsx';
import { hrefOf, NO_FILTER, parseRoute, type Route } from './route.ts';
import { TrailView } from './trail-view.tsx';

const HOME = hrefOf({ view: 'glance' });

function View({ route }: { route: Route }) {
  switch (route.view) {
    case 'glance':
      return <GlanceView />;
    case 'replays':
      return <ReplaysView />;
    case 'replay':
      return <ReplayView key={route.id} {...route} />;
    case 'dead-letters':
      return <DeadLettersView key={hrefOf(route)} {...route} />;
    case 'dead-letter':
      return <DeadLetterView key={route.id} {...route} />;
    case 'audits':
      return <AuditsView />;
    case 'audit':
      return <AuditView key={route.id} {...route} />;
    case 'lineage':
      return <LineageView />;
    case 'trip':
      return <TripTraceView key={route.tripId} {...route} />;
    case 'driver-day':
      return <DriverDayView key={hrefOf(route)} {...route} />;
    case 'keys':
      return <KeysView />;
    case 'erasure':
      return <ErasureView key={hrefOf(route)} {...route} />;
    case 'trail':
      return <TrailView />;
    case 'unknown':
      return <UnknownView home={HOME} title="The pipeline at a glance" />;
  }
}

const PLACES: readonly Place<Route['view']>[] = [
  { title: 'Pipeline', href: HOME, views: ['glance'] },
  { title: 'Replays', href: hrefOf({ view: 'replays' }), views: ['replays', 'replay'] },
  {
    title: 'Dead letters',
    href: hrefOf({ view: 'dead-letters', filter: NO_FILTER }),
    views: ['dead-letters', 'dead-letter'],
  },
  { title: 'Audits', href: hrefOf({ view: 'audits' }), views: ['audits', 'audit'] },
  { title: 'Lineage', href: hrefOf({ view: 'lineage' }), views: ['lineage', 'trip', 'driver-day'] },
  { title: 'API keys', href: hrefOf({ view: 'keys' }), views: ['keys'] },
  { title: 'Erasure', href: hrefOf({ view: 'erasure', fleetId: '', driverId: '' }), views: ['erasure'] },
  { title: 'Audit trail', href: hrefOf({ view: 'trail' }), views: ['trail'] },
];

function OperatorField() {
  return (
    <label>
      Your name, for the audit trail (optional)
      <input
        type="text"
        autocomplete="off"
        maxLength={128}
        value={operator.value}
        onInput={({ currentTarget }) => nameOperator(currentTarget.value.trim())}
      />
    </label>
  );
}

/** All of Operate: the view that the address names, or the question for the token. */
export function App() {
  const route = parseRoute(hash.value);
  const isKnown = key.value !== null;
  return (
    <Frame
      name="Operate"
      home={HOME}
      places={PLACES}
      view={route.view}
      choices={isKnown && <LiveMark />}
      secret="token"
      signIn={
        <SignIn
          title="Operate Milepost"
          label="Operators' token"
          action="Enter"
          hint="The token is the value of OPS_TOKEN. It stays in this tab until you close it. It is sent to this server alone, with each request, and is part of no address."
        >
          <OperatorField />
        </SignIn>
      }
      foot={isKnown && <> You act as {operator.value === '' ? 'ops-token' : operator.value}.</>}
    >
      <View route={route} />
    </Frame>
  );
}
