import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packTripEvents, unpackTripEvents } from './index.ts';

const EVENT =
  '{"event_type":9,"event_name":"OVERSPEEDING","event_start_timestamp":1795218436235,"event_end_timestamp":1795218448221,"event_start_latitude":39.158553,"event_start_longitude":-94.658441,"event_end_latitude":39.146186,"event_end_longitude":-94.653074,"event_data":{"user_speed_mph":41.3,"speed_limit_mph":30,"max_user_speed_mph":44.01}}';

describe('packed trip events', () => {
  it('come back to the letter, whatever they were', () => {
    fc.assert(fc.property(fc.json(), (json) => unpackTripEvents(packTripEvents(json)) === json));
    const many = `[${Array.from({ length: 5_000 }, () => EVENT).join(',')}]`;
    expect(unpackTripEvents(packTripEvents(many))).toBe(many);
  });

  it('take less than a third of their JSON, one event alone included', () => {
    expect(packTripEvents(`[${EVENT}]`).byteLength).toBeLessThan(EVENT.length / 3);
  });

  it('are refused when they are damaged or of an unknown format', () => {
    const packed = packTripEvents(`[${EVENT}]`);
    expect(() => unpackTripEvents(packed.subarray(0, packed.byteLength - 3))).toThrow();
    expect(() => unpackTripEvents(Uint8Array.of(2, ...packed.subarray(1)))).toThrow('format 2');
    expect(() => unpackTripEvents(new Uint8Array())).toThrow('cannot be read');
  });
});
