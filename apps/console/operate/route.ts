import { fragmentOf, parseAddress } from '../shared/address.ts';

/** The filter for a list of dead letters. An empty string matches every dead letter. */
export interface DeadLetterFilter {
  reason: string;
  source: string;
  field: string;
  fleet_id: string;
  /** Whether settled dead letters match. */
  all: boolean;
}

/** A view and its parameters, which are all in the URL fragment, so that operators can share the URL. */
export type Route =
  | { view: 'overview' }
  | { view: 'replays' }
  | { view: 'replay'; id: number }
  | { view: 'dead-letters'; filter: DeadLetterFilter }
  | { view: 'dead-letter'; id: number }
  | { view: 'audits' }
  | { view: 'audit'; id: number }
  | { view: 'lineage' }
  | { view: 'trip'; tripId: string }
  | { view: 'driver-day'; fleetId: string; driverId: string; date: string }
  | { view: 'keys' }
  | { view: 'erasure'; fleetId: string; driverId: string }
  | { view: 'audit-trail' }
  | { view: 'unknown' };

/** A view that exists. */
export type KnownRoute = Exclude<Route, { view: 'unknown' }>;

export const NO_FILTER: DeadLetterFilter = { reason: '', source: '', field: '', fleet_id: '', all: false };

function idOf(text: string | undefined): number | null {
  return text !== undefined && /^[1-9][0-9]{0,14}$/.test(text) ? Number(text) : null;
}

function filterOf(parameters: URLSearchParams): DeadLetterFilter {
  const text = (name: string) => parameters.get(name) ?? '';
  return {
    reason: text('reason'),
    source: text('source'),
    field: text('field'),
    fleet_id: text('fleet_id'),
    all: text('all') === 'true',
  };
}

/** Splits a fragment such as `/lanes/2/replays` into the lane (null if there is none) and the rest. */
export function splitLane(hash: string): { lane: number | null; rest: string } {
  const [beginning = '', number] = /^\/lanes\/(0|[1-9][0-9]{0,8})(?=\/)/.exec(hash) ?? [];
  return { lane: number === undefined ? null : Number(number), rest: hash.slice(beginning.length) };
}

/** Parses the fragment of an address. A fragment without a known view results in `unknown`. */
export function parseRoute(hash: string): Route {
  const { words, parameters } = parseAddress(splitLane(hash).rest);
  if (!words.every((word) => word !== null)) return { view: 'unknown' };
  const [view = '', one, two, three] = words;
  const id = idOf(one);
  switch (view) {
    case '':
      return { view: 'overview' };
    case 'replays':
    case 'audits':
      if (one === undefined) return { view };
      if (id === null) return { view: 'unknown' };
      return { view: view === 'replays' ? 'replay' : 'audit', id };
    case 'dead-letters':
      if (one === undefined) return { view, filter: filterOf(parameters) };
      return id === null ? { view: 'unknown' } : { view: 'dead-letter', id };
    case 'lineage':
      if (one === 'trip' && two) return { view: 'trip', tripId: two };
      if (one && two && three) return { view: 'driver-day', fleetId: one, driverId: two, date: three };
      return one === undefined ? { view } : { view: 'unknown' };
    case 'erasure':
      return { view, fleetId: parameters.get('fleet') ?? '', driverId: parameters.get('driver') ?? '' };
    case 'keys':
      return { view };
    case 'trail':
      return { view: 'audit-trail' };
    default:
      return { view: 'unknown' };
  }
}

/** A view's fragment, without a lane. */
function pathOf(route: KnownRoute): string {
  switch (route.view) {
    case 'overview':
      return fragmentOf([]);
    case 'replay':
      return fragmentOf(['replays', route.id]);
    case 'audit':
      return fragmentOf(['audits', route.id]);
    case 'dead-letters': {
      const { all, ...texts } = route.filter;
      return fragmentOf(['dead-letters'], { ...texts, all: all ? 'true' : '' });
    }
    case 'dead-letter':
      return fragmentOf(['dead-letters', route.id]);
    case 'trip':
      return fragmentOf(['lineage', 'trip', route.tripId]);
    case 'driver-day':
      return fragmentOf(['lineage', route.fleetId, route.driverId, route.date]);
    case 'erasure':
      return fragmentOf(['erasure'], { fleet: route.fleetId, driver: route.driverId });
    case 'audit-trail':
      return fragmentOf(['trail']);
    default:
      return fragmentOf([route.view]);
  }
}

/** A view's address in a lane, or without a lane if `lane` is null. */
export function addressOf(route: KnownRoute, lane: number | null): string {
  return `#${lane === null ? '' : `/lanes/${lane}`}${pathOf(route)}`;
}
