import type { RolePools } from '@milepost/postgres/lanes';
import { type Logger, messageOf } from '@milepost/service';
import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import { createScrape } from '../metrics/scrape.ts';

/**
 * Declares `/metrics` for Prometheus. The path needs no token, because it shows only numbers and names, and no trips.
 */
export function reportMetrics(app: FastifyInstance, pools: RolePools, ofProcess: Registry, logger: Logger): void {
  const scrape = createScrape(pools, ofProcess, (error) => {
    logger.warn({ reason: messageOf(error) }, 'The metrics could not be read from the database.');
  });
  const schema = {
    operationId: 'getMetrics',
    tags: ['Service'],
    summary: 'Metrics for Prometheus',
    description:
      'Needs no token. The figures of a lane are from one snapshot, which is read at most once a second. While the database does not answer, `milepost_up` is 0, and all metrics that are read from it are missing. With several lanes, these metrics have the label `lane`.',
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
