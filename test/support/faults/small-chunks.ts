import { PROJECTIONS } from '@milepost/projections';
import { inSmallChunks } from '../replay.ts';

/**
 * The chunk size of a Milepost process that loads this module first (`node --import`). It is small enough to split even
 * a log of a few thousand trips into many chunks.
 */
const PART_POSITIONS = 250;

const small = inSmallChunks(PROJECTIONS, PART_POSITIONS);
for (const [index, projection] of PROJECTIONS.entries()) {
  const replacement = small[index];
  if (replacement) projection.fill = replacement.fill;
}
