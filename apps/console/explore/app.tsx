import { Choice } from '../shared/choice.tsx';
import { hash } from '../shared/hash.ts';
import { PageHead } from '../shared/page.tsx';
import { THEMES, theme, UNITS, units } from '../shared/preferences.ts';
import { key, signOut } from '../shared/session.ts';
import { SignIn } from '../shared/sign-in.tsx';
import { WaitingNotice } from '../shared/states.tsx';
import { CompareView } from './compare-view.tsx';
import { DriverView } from './driver/driver-view.tsx';
import { DriversView } from './drivers-view.tsx';
import { hrefOf, parseRoute, type Route } from './route.ts';
import { ScoreView } from './summary/score-view.tsx';
import { SummaryView } from './summary/summary-view.tsx';
import { TrackingView } from './tracking-view.tsx';
import { TripView } from './trip/trip-view.tsx';

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
      return (
        <>
          <PageHead title="There is no such page" />
          <p>
            The address may be incomplete. <a href={hrefOf({ view: 'drivers', find: '' })}>All drivers</a>
          </p>
        </>
      );
  }
}

const PLACES: { title: string; href: string; views: Route['view'][] }[] = [
  { title: 'Drivers', href: hrefOf({ view: 'drivers', find: '' }), views: ['drivers', 'driver'] },
  {
    title: 'Summaries',
    href: hrefOf({ view: 'summary', period: 'week', date: null, driverIds: [] }),
    views: ['summary', 'score'],
  },
  { title: 'Trips', href: hrefOf({ view: 'compare', tripIds: [] }), views: ['trip', 'tracking', 'compare'] },
];

function Places({ route }: { route: Route }) {
  return (
    <nav class="places" aria-label="Views">
      {PLACES.map(({ title, href, views }) => (
        <a key={title} href={href} {...(views.includes(route.view) ? { 'aria-current': 'page' } : {})}>
          {title}
        </a>
      ))}
    </nav>
  );
}

/** All of Explore: the view that the address names, or the question for the key. */
export function App() {
  const route = parseRoute(hash.value);
  const isKnown = key.value !== null;
  return (
    <>
      <button type="button" class="skip" onClick={() => document.querySelector('main')?.focus()}>
        Skip to the content
      </button>
      <header class="top">
        <a class="brand" href={hrefOf({ view: 'drivers', find: '' })}>
          Milepost <span>Explore</span>
        </a>
        {isKnown && <Places route={route} />}
        <div class="choices">
          <Choice label="Units" words={UNITS} chosen={units} />
          <Choice label="Theme" words={THEMES} chosen={theme} />
          {isKnown && (
            <button type="button" onClick={() => signOut(null)}>
              Forget the key
            </button>
          )}
        </div>
      </header>
      <WaitingNotice />
      <main tabIndex={-1}>
        {isKnown ? (
          <View route={route} />
        ) : (
          <SignIn
            title="Reports of your fleet"
            label="API key"
            action="Show the reports"
            hint="The key stays in this tab until you close it. It is sent to this service alone, with each request, and is part of no address."
          />
        )}
      </main>
      <footer class="bottom">All dates and times are UTC. Point at a time to see yours.</footer>
    </>
  );
}
