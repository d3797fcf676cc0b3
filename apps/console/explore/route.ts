import { type CalendarDate, isCalendarDate } from '@milepost/domain/calendar';

export type Period = 'day' | 'week';

/** A view and its parameters. They are all in the fragment of the address, so that readers can share the address. */
export type Route =
  | { view: 'drivers'; find: string }
  | { view: 'driver'; driverId: string; from: CalendarDate | null; through: CalendarDate | null }
  | { view: 'trip'; tripId: string }
  | { view: 'tracking'; trackingId: string; page: number }
  | { view: 'summary'; period: Period; date: CalendarDate | null; driverIds: string[] }
  | { view: 'score'; period: Period; date: CalendarDate; driverId: string }
  | { view: 'compare'; tripIds: string[] }
  | { view: 'unknown' };

/** The maximum number of drivers in a summary. */
export const MAX_DRIVERS = 20;

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

function date(text: string | null | undefined): CalendarDate | null {
  return text && isCalendarDate(text) ? text : null;
}

/** Parses the fragment of an address. A fragment without a known view results in `unknown`. */
export function parseRoute(hash: string): Route {
  const [path = '', query = ''] = hash.split('?');
  const [view, ...rest] = path.replace(/^\//, '').split('/').map(decoded);
  const [one, two, three] = rest;
  const parameters = new URLSearchParams(query);
  if (view === '' || view === 'drivers') return { view: 'drivers', find: parameters.get('find') ?? '' };
  if (view === 'driver' && one) {
    return { view, driverId: one, from: date(parameters.get('from')), through: date(parameters.get('through')) };
  }
  if (view === 'trip' && one) return { view, tripId: one };
  if (view === 'tracking' && one) {
    return { view, trackingId: one, page: Math.max(1, Number.parseInt(parameters.get('page') ?? '1', 10) || 1) };
  }
  if (view === 'summary' && (one === 'day' || one === 'week')) {
    const driverIds = [...new Set(parameters.getAll('driver'))].slice(0, MAX_DRIVERS);
    return { view, period: one, date: date(two), driverIds };
  }
  const scored = date(two);
  if (view === 'score' && (one === 'day' || one === 'week') && scored && three) {
    return { view, period: one, date: scored, driverId: three };
  }
  if (view === 'compare') return { view, tripIds: parameters.getAll('trip').slice(0, 2) };
  return { view: 'unknown' };
}

function address(words: readonly string[], parameters: readonly (readonly [string, string | null])[] = []): string {
  const given = parameters.filter((each): each is readonly [string, string] => !!each[1]);
  const query = new URLSearchParams(given.map(([name, text]) => [name, text])).toString();
  return `#/${words.map(encodeURIComponent).join('/')}${query === '' ? '' : `?${query}`}`;
}

/** The address of a view, for links. */
export function hrefOf(route: Exclude<Route, { view: 'unknown' }>): string {
  switch (route.view) {
    case 'drivers':
      return address(['drivers'], [['find', route.find]]);
    case 'driver':
      return address(
        ['driver', route.driverId],
        [
          ['from', route.from],
          ['through', route.through],
        ],
      );
    case 'trip':
      return address(['trip', route.tripId]);
    case 'tracking':
      return address(['tracking', route.trackingId], [['page', route.page === 1 ? null : String(route.page)]]);
    case 'summary':
      return address(
        ['summary', route.period, route.date ?? ''],
        route.driverIds.map((id) => ['driver', id] as const),
      );
    case 'score':
      return address(['score', route.period, route.date, route.driverId]);
    case 'compare':
      return address(
        ['compare'],
        route.tripIds.map((id) => ['trip', id] as const),
      );
  }
}
