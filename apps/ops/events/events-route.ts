import { Readable } from 'node:stream';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import { retryLater } from '@milepost/http/classify';
import { problemResponses } from '@milepost/http/schema';
import { groupOf } from '@milepost/operations/groups';
import { findLane, type OperationServices, runOperation } from '@milepost/operations/run';
import { showStatus } from '@milepost/operations/status';
import { type Logger, messageOf } from '@milepost/service';
import type { FastifyInstance, FastifyReply } from 'fastify';
import Type from 'typebox';
import { LANE_PATH, LaneNumber, throwProblem } from '../operation-route.ts';
import { DEFAULT_OPERATOR } from '../plugins/operator.ts';
import { PROBLEMS, Problem } from '../problems.ts';
import { StatusFeed } from './status-feed.ts';

const MAX_STREAMS = 50;

const SCHEMA = {
  operationId: 'followStatus',
  tags: [groupOf(showStatus).tag],
  summary: 'Follow the status',
  description:
    'Streams the response of `GET /status`, immediately and then every two seconds, as server-sent events. Each `status` event contains the response as JSON. While the status cannot be read, each `unavailable` event contains a sentence in `detail`. The stream has no end. The maximum is 50 concurrent streams.',
  querystring: Type.Object({}, { additionalProperties: false }),
  response: {
    200: {
      description: 'An endless stream of events.',
      content: { 'text/event-stream': { schema: { type: 'string' } } },
    },
    ...problemResponses(PROBLEMS, ['invalid_parameter', 'unauthorized', 'rate_limited', 'internal', 'overloaded'], {
      counted: true,
    }),
  },
};

const SCHEMA_IN_LANE = {
  ...SCHEMA,
  operationId: 'followStatusInLane',
  summary: 'Follow the status of a lane',
  description: 'Works like `GET /events`, but streams the response of `GET /lanes/{lane}/status`.',
  params: Type.Object({ lane: LaneNumber }, { additionalProperties: false }),
  response: {
    ...SCHEMA.response,
    ...problemResponses(PROBLEMS, ['lane_not_found', 'unavailable'], { counted: true }),
  },
};

/** Declares `/events`, which streams the status to clients with the token, and the same path for a single lane. */
export function streamStatus(
  app: FastifyInstance,
  services: OperationServices,
  logger: Logger,
  intervalMilliseconds?: number,
): void {
  const read = async (lane: number | undefined) =>
    (await runOperation(showStatus, {}, services, { lane, operator: DEFAULT_OPERATOR })).answer;
  const onFault = (error: unknown) => {
    logger.warn({ reason: messageOf(error) }, 'The status could not be read for the clients of /events.');
  };
  /** One feed for all lanes together, and one for each lane that a client follows. */
  const feeds = new Map<number | undefined, StatusFeed>();
  let stopping = false;
  app.addHook('preClose', async () => {
    stopping = true;
    for (const feed of feeds.values()) feed.close();
  });
  const send = (lane: number | undefined, reply: FastifyReply) => {
    const streams = feeds.values().reduce((sum, { listeners }) => sum + listeners, 0);
    if (stopping || streams >= MAX_STREAMS) {
      const detail = `The server is stopping, or the maximum of ${MAX_STREAMS} streams has been reached.`;
      throw new Problem('overloaded', detail, { headers: retryLater });
    }
    const feed = feeds.get(lane) ?? new StatusFeed(() => read(lane), onFault, intervalMilliseconds);
    feeds.set(lane, feed);
    // For a HEAD request, Fastify reads the response body to the end, but a feed stream never ends.
    const body = reply.request.method === 'HEAD' ? Readable.from([]) : feed.listen();
    return reply
      .headers({ 'cache-control': 'no-store', 'x-accel-buffering': 'no' })
      .type('text/event-stream; charset=utf-8')
      .send(body);
  };
  app.get('/events', { schema: SCHEMA }, async (_request, reply) => send(undefined, reply));
  app
    .withTypeProvider<TypeBoxTypeProvider>()
    .get(`${LANE_PATH}/events`, { schema: SCHEMA_IN_LANE }, async ({ params: { lane } }, reply) => {
      // This call rejects a nonexistent lane.
      await findLane(services.pools, lane).catch(throwProblem);
      return send(lane, reply);
    });
}
