import { expect, it } from 'vitest';
import { requestTo } from './report-request.ts';

it('requestTo fills the path and the query, and encodes both', () => {
  const path = '/api/v1/driver/{driver_id}/trips';
  const request = requestTo(path, { path: { driver_id: 'a/b ü$&' }, query: { start_date: '2026-01-31', page: 2 } });
  expect(request).toEqual({ path, address: '/api/v1/driver/a%2Fb%20%C3%BC%24%26/trips?start_date=2026-01-31&page=2' });
});

it('requestTo repeats a parameter for each element of an array', () => {
  const query = { start_date: '2026-01-31', driver_id: ['a&b', 'c'] };
  expect(requestTo('/api/v1/driver-aggregate/daily', { query }).address).toBe(
    '/api/v1/driver-aggregate/daily?start_date=2026-01-31&driver_id=a%26b&driver_id=c',
  );
});

it('requestTo omits the query when there is none', () => {
  const path = '/api/v1/trip/trip_id/{trip_id}';
  expect(requestTo(path, { path: { trip_id: 't' } }).address).toBe('/api/v1/trip/trip_id/t');
  expect(requestTo('/api/v1/drivers', {}).address).toBe('/api/v1/drivers');
});

it('requestTo omits a parameter without a value', () => {
  const query = { start_date: '2026-01-31', page: undefined, driver_id: ['c', undefined] };
  // A JavaScript program may pass undefined, although the types do not allow it.
  const request = Reflect.apply(requestTo, null, ['/api/v1/driver-aggregate/daily', { query }]);
  expect(request).toMatchObject({ address: '/api/v1/driver-aggregate/daily?start_date=2026-01-31&driver_id=c' });
});
