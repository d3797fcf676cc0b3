import { Choice } from '../shared/choice.tsx';
import { Frame, type Place, UnknownView } from '../shared/frame.tsx';
import { hash } from '../shared/hash.ts';
import { UNITS, units } from '../shared/preferences.ts';
import { SignIn } from '../shared/sign-in.tsx';
import { CompareView } from './compare-view.tsx';
import { DriverView } from './driver/driver-view.tsx';
import { DriversView } from './drivers-view.tsx';
import { hrefOf, parseRoute, type Route } from './route.ts';
import { ScoreView } from './summary/score-view.tsx';
import { SummaryView } from './summary/summary-view.tsx';
import { TrackingView } from './tracking-view.tsx';
import { TripView } from './trip/trip-view.tsx';

const HOME = hrefOf({ view: 'drivers', find: '' });

function View({ route }: { route: Route }) {
  switch (route.view) {
    case 'drivers':
      return <DriversView {...route} />;
    case 'driver':
      return <DriverView key={route.driverId} {...route} />;
    case 'trip':
      return <TripView key={route.tripId} {...route} />;
    case 'tracking':
      return <TrackingView {...route} />;
    case 'summary':
      return <SummaryView {...route} />;
    case 'score':
      return <ScoreView {...route} />;
    case 'compare':
      return <CompareView key={route.tripIds.join()} {...route} />;
    case 'unknown':
      return <UnknownView home={HOME} title="All drivers" />;
  }
}

const PLACES: readonly Place<Route['view']>[] = [
  { title: 'Drivers', href: HOME, views: ['drivers', 'driver'] },
  {
    title: 'Summaries',
    href: hrefOf({ view: 'summary', period: 'week', date: null, driverIds: [] }),
    views: ['summary', 'score'],
  },
  { title: 'Trips', href: hrefOf({ view: 'compare', tripIds: [] }), views: ['trip', 'tracking', 'compare'] },
];

/** Explore: the view in the address, or the sign-in form. */
export function App() {
  const route = parseRoute(hash.value);
  return (
    <Frame
      name="Explore"
      home={HOME}
      places={PLACES}
      view={route.view}
      choices={<Choice label="Units" options={UNITS} chosen={units.value} onChoose={(next) => (units.value = next)} />}
      secret="key"
      signIn={
        <SignIn
          title="Reports on your fleet"
          label="API key"
          action="Show the reports"
          hint="Your browser keeps the key until you close this tab. It is sent with each request, and only to this service. It never appears in a URL."
        />
      }
    >
      <View route={route} />
    </Frame>
  );
}
