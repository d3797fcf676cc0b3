import type { Pool } from '@milepost/postgres';
import { type Logger, messageOf } from '@milepost/service';
import type { FastifyInstance } from 'fastify';
import { createScrape } from '../metrics/scrape.ts';

/** Declares `/metrics` for Prometheus, which needs no token: it tells figures and names, and no trip. */
export function reportMetrics(app: FastifyInstance, pool: Pool, logger: Logger): void {
  const scrape = createScrape(pool, (error) => {
    logger.warn({ reason: messageOf(error) }, 'The metrics could not be read from the database.');
  });
  const schema = {
    operationId: 'getMetrics',
    tags: ['Service'],
    summary: 'Metrics for Prometheus',
    description:
      'Needs no token. The figures of one moment, gathered at most once a second. `milepost_up` is 0, and all other `milepost_` metrics are missing, while the database does not answer.',
    security: [],
    response: {
      200: {
        description: 'Metrics in the text format of Prometheus.',
        content: { 'text/plain': { schema: { type: 'string' } } },
      },
    },
  };
  app.get('/metrics', { schema }, async (_request, reply) => {
    const { contentType, text } = await scrape();
    return reply.header('cache-control', 'no-store').type(contentType).send(text);
  });
}
