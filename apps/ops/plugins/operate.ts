import { OPERATE_FOLDER } from '@milepost/console';
import { hasBundle, serveBundle } from '@milepost/http';
import type { Logger } from '@milepost/service';
import type { FastifyInstance } from 'fastify';

/** Serves Operate, the pages over the operators' API. Warns where it was not built: the API does without it. */
export async function serveOperate(app: FastifyInstance, logger: Logger): Promise<void> {
  if (hasBundle(OPERATE_FOLDER)) await serveBundle(app, { folder: OPERATE_FOLDER, path: '' });
  else logger.warn({ folder: OPERATE_FOLDER }, 'Operate is not built, and so not served: npm run build builds it.');
}
