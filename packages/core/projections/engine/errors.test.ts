import { expect, it } from 'vitest';
import { ProjectionFailedError } from './projection.ts';

it.each([[new Error('no such figure')], ['no such figure']])(
  'ProjectionFailedError includes its cause %o in its message',
  (cause) => {
    const error = new ProjectionFailedError({ name: 'trips', version: 3 }, 7, cause);
    expect(error.message).toBe('Projection trips cannot apply the stored event at position 7: no such figure');
    expect(error).toMatchObject({ projection: 'trips', version: 3, position: 7, cause });
  },
);
