import { expect, it } from 'vitest';
import { opsWelcome, plainWelcome, sampleWelcome } from './welcome.ts';

const TRIP = {
  driverId: "depot/7, d'été",
  tripId: '0123456789abcdef0123456789abcdef',
  trackingId: 'a b',
  date: '2025-01-15',
  monday: '2025-01-13',
} as const;

const text = sampleWelcome('http://127.0.0.1:3000', 'acme', 'mp_key', TRIP);
const lines = text.split('\n').filter((line) => line.startsWith('curl'));

it('the example requests are quoted for the shell, whatever the ids', () => {
  expect(lines).toHaveLength(6);
  for (const line of lines) expect(line.match(/'/g)).toHaveLength(6);
  expect(text).toContain('/api/v1/driver/depot%2F7%2C%20d%27%C3%A9t%C3%A9/trips?start_date=2025-01-15');
});

it('the example requests name a week by its Monday', () => {
  expect(text).toContain('/weekly?start_date=2025-01-13&');
});

it('the example requests omit the trip detail by tracking id when no tracking id exists', () => {
  expect(sampleWelcome('http://x', 'acme', 'mp_key', { ...TRIP, trackingId: null })).not.toContain('tracking_id');
});

it('the example request for operators contains the token that was generated for this home directory', () => {
  expect(opsWelcome('http://x', 'mo_1')).toContain("curl -sS 'http://x/status' -H 'Authorization: Bearer mo_1'\n");
});

it('the example request for operators names the variable of a token that the operator set, not its value', () => {
  expect(opsWelcome('http://x', null)).toContain('-H "Authorization: Bearer $OPS_TOKEN"\n');
});

it('without an example trip no request is shown, and without the sample fleet no key', () => {
  expect(sampleWelcome('http://x', 'acme', 'mp_key', null)).not.toContain('curl');
  expect(plainWelcome('http://x')).toContain('npx milepost keys create --fleet FLEET');
});
