import { describe, expect, it } from 'vitest';
import { opsWelcome, plainWelcome, sampleWelcome } from './welcome.ts';

const TRIP = {
  driverId: "depot/7, d'été",
  tripId: '0123456789abcdef0123456789abcdef',
  trackingId: 'a b',
  date: '2025-01-15',
  monday: '2025-01-13',
} as const;

describe('the example requests', () => {
  const text = sampleWelcome('http://127.0.0.1:3000', 'acme', 'mp_key', TRIP);
  const lines = text.split('\n').filter((line) => line.startsWith('curl'));

  it('cover the five endpoints and both forms of the trip detail', () => {
    expect(lines).toHaveLength(6);
  });

  it('are quoted for the shell, whatever the ids', () => {
    for (const line of lines) expect(line.match(/'/g)).toHaveLength(6);
    expect(text).toContain('/api/v1/driver/depot%2F7%2C%20d%27%C3%A9t%C3%A9/trips?start_date=2025-01-15');
  });

  it('name a week by its Monday', () => {
    expect(text).toContain('/weekly?start_date=2025-01-13&');
  });

  it('omit the trip detail by tracking id when no tracking id exists', () => {
    expect(sampleWelcome('http://x', 'acme', 'mp_key', { ...TRIP, trackingId: null })).not.toContain('tracking_id');
  });
});

describe('the example request for operators', () => {
  it('contains the token that was generated for this home directory', () => {
    expect(opsWelcome('http://x', 'mo_1')).toContain("curl -sS 'http://x/status' -H 'Authorization: Bearer mo_1'\n");
  });

  it('names the variable of a token that the operator set, not its value', () => {
    expect(opsWelcome('http://x', null)).toContain('-H "Authorization: Bearer $OPS_TOKEN"\n');
  });
});

describe('the output of the start', () => {
  it('names the address, the pages, the fleet and the key before the requests, each under its title', () => {
    const text = sampleWelcome('http://127.0.0.1:3000', 'acme', 'mp_key', { ...TRIP, driverId: 'd1' });
    const request = (path: string) =>
      `curl -sS 'http://127.0.0.1:3000/api/v1/${path}' -H 'Content-Type: application/json' -H 'Authorization: APIKEY mp_key'`;
    expect(text).toBe(`Milepost answers at http://127.0.0.1:3000
Explore, the reports in a browser: http://127.0.0.1:3000/explore/
API key of the fleet acme: mp_key

Drivers of the fleet:
${request('drivers?limit=5&page=1')}

Trips of a driver:
${request('driver/d1/trips?start_date=2025-01-15&limit=5')}

Trip detail:
${request(`trip/trip_id/${TRIP.tripId}`)}

Trip detail, by tracking id:
${request('trip/tracking_id/a%20b')}

Daily summary:
${request('driver-aggregate/daily?start_date=2025-01-15&driver_id=d1')}

Weekly summary:
${request('driver-aggregate/weekly?start_date=2025-01-13&driver_id=d1')}
`);
  });

  it('has no request without an example trip, and no key without the sample fleet', () => {
    expect(sampleWelcome('http://x', 'acme', 'mp_key', null)).toBe(
      'Milepost answers at http://x\nExplore, the reports in a browser: http://x/explore/\nAPI key of the fleet acme: mp_key\n',
    );
    expect(plainWelcome('http://x')).toBe(
      'Milepost answers at http://x\nExplore, the reports in a browser: http://x/explore/\nCreate an API key for a fleet: npx milepost keys create --fleet FLEET\n',
    );
  });

  it('names the pages and the reference for operators', () => {
    expect(opsWelcome('http://x', 'mo_1')).toBe(
      "\nOperate, for operators in a browser: http://x/\nStatus, for operators (reference at http://x/docs):\ncurl -sS 'http://x/status' -H 'Authorization: Bearer mo_1'\n",
    );
  });
});
