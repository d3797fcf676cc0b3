import type { FastifyInstance } from 'fastify';
import * as audits from './audits/index.ts';
import type { RouteContext } from './context.ts';
import * as deadLetters from './dead-letters/index.ts';
import { erasureRoute } from './erasure.ts';
import { operationsRoute } from './operations.ts';
import { retentionRoute } from './retention.ts';
import { acceptSourceRoute } from './sources.ts';
import { statusRoute } from './status.ts';
import * as traces from './traces/index.ts';

export type Route = (app: FastifyInstance, context: RouteContext) => Promise<void>;

/** What is answered from a few rows. */
export const ROUTES: readonly Route[] = [
  statusRoute,
  ...Object.values(audits),
  retentionRoute,
  acceptSourceRoute,
  operationsRoute,
  deadLetters.showDeadLetterRoute,
];

/** What may read or write a lot, so that few of them may be under way at once. */
export const HEAVY_ROUTES: readonly Route[] = [
  deadLetters.listDeadLettersRoute,
  deadLetters.retryDeadLettersRoute,
  deadLetters.discardDeadLettersRoute,
  ...Object.values(traces),
  erasureRoute,
];
