import { EXPLORE_FOLDER } from '@milepost/console';
import { hasBundle, serveBundle } from '@milepost/http';
import type { Logger } from '@milepost/service';
import type { FastifyInstance } from 'fastify';
import type { MapTiles } from '../config.ts';

/** The path of Explore's pages. */
const PATH = '/explore';

/**
 * Serves Explore, whose pages show the reports from the five endpoints. If Explore has not been built, logs a warning.
 * The endpoints work without Explore.
 */
export async function serveExplore(app: FastifyInstance, tiles: MapTiles | undefined, logger: Logger): Promise<void> {
  if (!hasBundle(EXPLORE_FOLDER)) {
    logger.warn(
      { folder: EXPLORE_FOLDER },
      'Explore is not served, because it has not been built. Run npm run build to build it.',
    );
    return;
  }
  await serveBundle(app, {
    folder: EXPLORE_FOLDER,
    path: PATH,
    ...(tiles && {
      settings: { 'map-tiles': tiles.address, 'map-tiles-attribution': tiles.attribution },
      imageOrigins: [new URL(tiles.address).origin],
    }),
  });
}
