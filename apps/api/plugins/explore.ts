import { EXPLORE_FOLDER } from '@milepost/console';
import { hasBundle, serveBundle } from '@milepost/http';
import type { Logger } from '@milepost/service';
import type { FastifyInstance } from 'fastify';
import type { MapTiles } from '../map-tiles.ts';

/** Where the pages of Explore are. */
const PATH = '/explore';

/** Serves Explore, the pages over the five endpoints. Warns where it was not built: the endpoints do without it. */
export async function serveExplore(app: FastifyInstance, tiles: MapTiles | undefined, logger: Logger): Promise<void> {
  if (!hasBundle(EXPLORE_FOLDER)) {
    logger.warn({ folder: EXPLORE_FOLDER }, 'Explore is not built, and so not served: npm run build builds it.');
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
