import { useQuery } from '@tanstack/preact-query';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { navigate } from '../shared/hash.ts';
import { Loading } from '../shared/states.tsx';
import { reads } from './api.ts';
import { hrefOf, lane } from './lane.ts';
import { type KnownRoute, NO_FILTER, type Route } from './route.ts';

const FIRST_LANE = 0;

/** The lanes' numbers; empty until they are known. */
export function useLanes(): number[] {
  const { data } = useQuery(reads.lanes());
  return data?.lanes.map((each) => each.lane) ?? [];
}

/**
 * Returns the view to show when the lane changes. The same id belongs to something else in the other lane, so the view
 * of one item is replaced with the list of all items.
 */
function inOtherLane(route: KnownRoute): KnownRoute {
  switch (route.view) {
    case 'replay':
      return { view: 'replays' };
    case 'audit':
      return { view: 'audits' };
    case 'dead-letter':
      return { view: 'dead-letters', filter: NO_FILTER };
    default:
      return route;
  }
}

/** The fleet of a view; null if the view has none. */
function fleetOf(route: KnownRoute): string | null {
  if (route.view === 'dead-letters') return route.filter.fleet_id || null;
  return 'fleetId' in route ? route.fleetId || null : null;
}

function LanePicker({ route, lanes }: { route: KnownRoute; lanes: readonly number[] }) {
  return (
    <p class="lane">
      <label>
        Lane
        <select
          value={lane.value ?? ''}
          onChange={({ currentTarget: { value } }) =>
            navigate(hrefOf(inOtherLane(route), value === '' ? null : Number(value)))
          }
        >
          {route.view === 'overview' && <option value="">all lanes</option>}
          {lanes.map((number) => (
            <option key={number} value={number}>
              {number}
            </option>
          ))}
        </select>
      </label>
    </p>
  );
}

/** Opens a view whose address has no lane. It uses the lane of the view's fleet or, without a fleet, the first lane. */
function OpenInLane({ route }: { route: KnownRoute }) {
  const fleetId = fleetOf(route);
  const { data, error } = useQuery({ ...reads.placedFleets(fleetId ?? ''), enabled: fleetId !== null });
  const home = data?.fleets.find((fleet) => fleet.fleet_id === fleetId)?.lane ?? FIRST_LANE;
  const isKnown = fleetId === null || data !== undefined || error !== null;
  useEffect(() => {
    if (isKnown) navigate(hrefOf(route, home), true);
  });
  return <Loading what="the lane" />;
}

/** A view with a lane picker, unless there is only one lane or the view covers all lanes. */
export function LaneScope({ route, children }: { route: Route; children: ComponentChildren }) {
  const lanes = useLanes();
  const isShared = route.view === 'keys' || route.view === 'audit-trail' || route.view === 'unknown';
  if (lanes.length < 2 || isShared) return children;
  return (
    <>
      <LanePicker route={route} lanes={lanes} />
      {lane.value === null && route.view !== 'overview' ? <OpenInLane route={route} /> : children}
    </>
  );
}
