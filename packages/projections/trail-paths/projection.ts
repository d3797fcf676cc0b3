import type { Projection } from '../engine/index.ts';
import { bodyProjection } from '../log/body-projection.ts';

/** The route of each trip, in the compact form of packages/trail-codec. */
export const trailPaths: Projection = bodyProjection({
  name: 'trail_paths',
  version: 2,
  // Incompressible, so no attempt is made.
  column: { name: 'trail_path', type: 'bytea STORAGE EXTERNAL' },
});
