import { PROJECTIONS } from '@milepost/projections';
import { inSmallChunks } from '../replay.ts';

/**
 * Loaded into a process of Milepost before all else (`node --import`): a replay's work is cut into chunks so small that a
 * log of some thousand trips has many of them.
 */
const PART_POSITIONS = 250;

const small = inSmallChunks(PROJECTIONS, PART_POSITIONS);
for (const [index, projection] of PROJECTIONS.entries()) {
  const replacement = small[index];
  if (replacement) projection.fill = replacement.fill;
}
