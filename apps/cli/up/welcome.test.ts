import { expect, it } from 'vitest';
import { sampleWelcome } from './welcome.ts';

const TRIP = {
  driverId: "depot/7, d'été",
  tripId: '0123456789abcdef0123456789abcdef',
  trackingId: 'a b',
  date: '2025-01-15',
  monday: '2025-01-13',
} as const;

const text = sampleWelcome('http://127.0.0.1:3000', 'acme', 'mp_key', TRIP);
const lines = text.split('\n').filter((line) => line.startsWith('curl'));

it('the example requests are quoted for the shell, whatever the ids, and name a week by its Monday', () => {
  expect(lines).toHaveLength(6);
  for (const line of lines) expect(line.match(/'/g)).toHaveLength(6);
  expect(text).toContain('/weekly?start_date=2025-01-13&');
  expect(text).toContain('/api/v1/driver/depot%2F7%2C%20d%27%C3%A9t%C3%A9/trips?start_date=2025-01-15');
});

it('the example requests omit the trip detail by tracking id when no tracking id exists', () => {
  expect(sampleWelcome('http://x', 'acme', 'mp_key', { ...TRIP, trackingId: null })).not.toContain('tracking_id');
});

it('without an example trip no request is shown', () => {
  expect(sampleWelcome('http://x', 'acme', 'mp_key', null)).not.toContain('curl');
});
