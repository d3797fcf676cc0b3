import { type CalendarDate, isCalendarDate } from '@milepost/domain/calendar';
import { fragmentOf, parseAddress } from '../shared/address.ts';

export const PERIODS = ['day', 'week'] as const;
export type Period = (typeof PERIODS)[number];

/** A view and its parameters, which are all in the URL fragment, so that readers can share the URL. */
export type Route =
  | { view: 'drivers'; find: string }
  | { view: 'driver'; driverId: string; from?: CalendarDate | null; through?: CalendarDate | null }
  | { view: 'trip'; tripId: string }
  | { view: 'tracking'; trackingId: string; page: number }
  | { view: 'summary'; period: Period; date: CalendarDate | null; driverIds: string[] }
  | { view: 'score'; period: Period; date: CalendarDate; driverId: string }
  | { view: 'compare'; tripIds: string[] }
  | { view: 'unknown' };

/** The maximum number of drivers in a summary. */
export const MAX_DRIVERS = 20;

function date(text: string | null | undefined): CalendarDate | null {
  return text && isCalendarDate(text) ? text : null;
}

/** Parses the fragment of an address. A fragment without a known view results in `unknown`. */
export function parseRoute(hash: string): Route {
  const { words, parameters } = parseAddress(hash);
  const [view, one, two, three] = words;
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

/** The address of a view, for links. */
export function hrefOf(route: Exclude<Route, { view: 'unknown' }>): string {
  return `#${addressOf(route)}`;
}

function addressOf(route: Exclude<Route, { view: 'unknown' }>): string {
  const { view } = route;
  switch (view) {
    case 'drivers':
      return fragmentOf([view], { find: route.find });
    case 'driver':
      return fragmentOf([view, route.driverId], { from: route.from, through: route.through });
    case 'trip':
      return fragmentOf([view, route.tripId]);
    case 'tracking':
      return fragmentOf([view, route.trackingId], { page: route.page === 1 ? null : route.page });
    case 'summary':
      return fragmentOf([view, route.period, route.date ?? ''], { driver: route.driverIds });
    case 'score':
      return fragmentOf([view, route.period, route.date, route.driverId]);
    case 'compare':
      return fragmentOf([view], { trip: route.tripIds });
  }
}
