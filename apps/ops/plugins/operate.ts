import { OPERATE_FOLDER } from '@milepost/console';
import { hasBundle, serveBundle } from '@milepost/http';
import type { Logger } from '@milepost/service';
import type { FastifyInstance } from 'fastify';

/**
 * Serves Operate, the pages for operators. If Operate has not been built, logs a warning. The API works without
 * Operate.
 */
export async function serveOperate(app: FastifyInstance, logger: Logger): Promise<void> {
  if (hasBundle(OPERATE_FOLDER)) await serveBundle(app, { folder: OPERATE_FOLDER, path: '' });
  else
    logger.warn(
      { folder: OPERATE_FOLDER },
      'Operate is not served, because it has not been built. Run npm run build to build it.',
    );
}
