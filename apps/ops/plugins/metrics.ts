import type { RolePools } from '@milepost/postgres/lanes';
import { type Logger, messageOf } from '@milepost/service';
import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import { createScrape } from '../metrics/scrape.ts';

/** Declares `/metrics` for Prometheus. The path does not need a token, because it shows only numbers and names. */
export function reportMetrics(app: FastifyInstance, pools: RolePools, ofProcess: Registry, logger: Logger): void {
  const scrape = createScrape(pools, ofProcess, (error) => {
    logger.warn({ reason: messageOf(error) }, 'The metrics could not be read from the database.');
  });
  const schema = {
    operationId: 'getMetrics',
    tags: ['Service'],
    summary: 'Metrics for Prometheus',
    description:
      'Needs no token. The figures for a lane come from one snapshot, which is read at most once a second. While the database is not responding, `milepost_up` is 0, and all metrics from it are missing. If there are several lanes, these metrics have a `lane` label.',
    security: [],
    response: {
      200: {
        description: 'Metrics in Prometheus text format.',
        content: { 'text/plain': { schema: { type: 'string' } } },
      },
    },
  };
  app.get('/metrics', { schema }, async (_request, reply) => {
    const { contentType, text } = await scrape();
    return reply.header('cache-control', 'no-store').type(contentType).send(text);
  });
}
