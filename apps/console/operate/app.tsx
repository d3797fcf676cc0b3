import { Frame, type Place, UnknownView } from '../shared/frame.tsx';
import { hash } from '../shared/hash.ts';
import { key } from '../shared/session.ts';
import { SignIn } from '../shared/sign-in.tsx';
import { TextField } from '../shared/text-field.tsx';
import { AuditTrailView } from './audit-trail-view.tsx';
import { AuditView } from './audits/audit-view.tsx';
import { AuditsView } from './audits/audits-view.tsx';
import { DeadLetterView } from './dead-letters/dead-letter-view.tsx';
import { DeadLettersView } from './dead-letters/dead-letters-view.tsx';
import { ErasureView } from './erasure-view.tsx';
import { KeysView } from './keys-view.tsx';
import { hrefOf, lane } from './lane.ts';
import { LaneScope } from './lane-scope.tsx';
import { DriverDayView } from './lineage/driver-day-view.tsx';
import { LineageView } from './lineage/lineage-view.tsx';
import { TripTraceView } from './lineage/trip-trace-view.tsx';
import { ConnectionMark, ConnectionNotice } from './live/connection-mark.tsx';
import { operator, setOperator } from './operator.ts';
import { OverviewView } from './overview/overview-view.tsx';
import { ReplayView } from './replays/replay-view.tsx';
import { ReplaysView } from './replays/replays-view.tsx';
import { NO_FILTER, parseRoute, type Route } from './route.ts';

function View({ route }: { route: Route }) {
  switch (route.view) {
    case 'overview':
      return <OverviewView />;
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
    case 'audit-trail':
      return <AuditTrailView />;
    case 'unknown':
      return <UnknownView home={hrefOf({ view: 'overview' })} title="Pipeline overview" />;
  }
}

function placesOf(): Place<Route['view']>[] {
  return [
    { title: 'Pipeline', href: hrefOf({ view: 'overview' }), views: ['overview'] },
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
    { title: 'Audit trail', href: hrefOf({ view: 'audit-trail' }), views: ['audit-trail'] },
  ];
}

/** Operate: the view in the address, or the sign-in form. */
export function App() {
  const route = parseRoute(hash.value);
  const isSignedIn = key.value !== null;
  return (
    <Frame
      name="Operate"
      home={hrefOf({ view: 'overview' })}
      places={placesOf()}
      view={route.view}
      choices={isSignedIn && <ConnectionMark />}
      notice={<ConnectionNotice />}
      secret="token"
      signIn={
        <SignIn
          title="Operate Milepost"
          label="Operators' token"
          action="Enter"
          hint="The token is the value of OPS_TOKEN. Your browser keeps it until you close this tab. It is sent with each request, and only to this server. It never appears in a URL."
        >
          <TextField
            label="Your name, for the audit trail (optional)"
            autocomplete="off"
            maxLength={128}
            text={operator.value}
            onChange={(text) => setOperator(text.trim())}
          />
        </SignIn>
      }
      foot={isSignedIn && <> You are acting as {operator.value === '' ? 'ops-token' : operator.value}.</>}
    >
      <LaneScope route={route}>
        <View key={lane.value} route={route} />
      </LaneScope>
    </Frame>
  );
}
