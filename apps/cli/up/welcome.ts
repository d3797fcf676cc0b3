import type { ExampleTrip } from './sample-fleet.ts';

/** Percent-encodes a string for a URL in single quotes, including apostrophes, which would end the quotes. */
function encoded(text: string): string {
  return encodeURIComponent(text).replaceAll("'", '%27');
}

function requests(trip: ExampleTrip): [title: string, path: string][] {
  const driver = encoded(trip.driverId);
  const trackingIds = trip.trackingId === null ? [] : [encoded(trip.trackingId)];
  return [
    ['Drivers of the fleet', '/api/v1/drivers?limit=5&page=1'],
    ['Trips of a driver', `/api/v1/driver/${driver}/trips?start_date=${trip.date}&limit=5`],
    ['Trip detail', `/api/v1/trip/trip_id/${trip.tripId}`],
    ...trackingIds.map((id): [string, string] => ['Trip detail, by tracking id', `/api/v1/trip/tracking_id/${id}`]),
    ['Daily summary', `/api/v1/driver-aggregate/daily?start_date=${trip.date}&driver_id=${driver}`],
    ['Weekly summary', `/api/v1/driver-aggregate/weekly?start_date=${trip.monday}&driver_id=${driver}`],
  ];
}

const exploreLine = (url: string) => `Explore (the reports in a browser): ${url}/explore/`;

/** Returns the output of `up` for a log with the sample fleet. */
export function sampleWelcome(url: string, fleetId: string, key: string, trip: ExampleTrip | null): string {
  const lines = [`Milepost is ready at ${url}`, exploreLine(url), `API key of the fleet ${fleetId}: ${key}`];
  for (const [title, path] of trip === null ? [] : requests(trip)) {
    const headers = `-H 'Content-Type: application/json' -H 'Authorization: APIKEY ${key}'`;
    lines.push('', `${title}:`, `curl -sS '${url}${path}' ${headers}`);
  }
  return `${lines.join('\n')}\n`;
}

/** Returns the output of `up` for a log without the sample fleet. */
export function plainWelcome(url: string): string {
  return `Milepost is ready at ${url}\n${exploreLine(url)}\nCreate an API key for a fleet: npx milepost keys create --fleet FLEET\n`;
}

/**
 * Returns the output of `up` for operators.
 *
 * @param token this home's token; null if the operator has set OPS_TOKEN, because `up` does not print that token
 */
export function opsWelcome(url: string, token: string | null): string {
  const bearer = token === null ? '"Authorization: Bearer $OPS_TOKEN"' : `'Authorization: Bearer ${token}'`;
  return `\nOperate (for operators, in a browser): ${url}/\nStatus (for operators; reference at ${url}/docs):\ncurl -sS '${url}/status' -H ${bearer}\n`;
}
