import { Readable } from 'node:stream';
import { retryLater } from '@milepost/http/classify';
import { operation } from '@milepost/operations/operation';
import { showStatus } from '@milepost/operations/status';
import { type Logger, messageOf } from '@milepost/service';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { addRoutes, contextOf, LANE_PATH, LaneNumber, type OperationServices } from '../operation-route.ts';
import { DEFAULT_OPERATOR } from '../plugins/operator.ts';
import { Problem } from '../problems.ts';
import { createStatusFeed } from './status-feed.ts';

const MAX_STREAMS = 50;

const EVENTS = {
  name: 'status.follow',
  answer: Type.Unsafe<Readable>({ type: 'string', contentMediaType: 'text/event-stream' }),
  statuses: [[200, 'An endless stream of events.']],
  secret: true,
  // The two paths have different feeds, so each is declared by itself.
  shared: true,
} as const;

/** Declares `/events`, which streams the status to clients with the token, and the same path for a single lane. */
export function streamStatus(
  app: FastifyInstance,
  services: OperationServices,
  logger: Logger,
  intervalMilliseconds?: number,
): void {
  const read = async (lane: number | undefined) => {
    const context = await contextOf(services, lane, {}, { operator: DEFAULT_OPERATOR, keep: () => {} });
    return (await showStatus.run(context, {})).answer;
  };
  const onFault = (error: unknown) => {
    logger.warn({ reason: messageOf(error) }, 'The status could not be read for the clients of /events.');
  };
  const stop = new AbortController();
  app.addHook('preClose', async () => stop.abort());
  /** One feed for all lanes together, and one for each lane that a client follows. */
  const feeds = new Map<number | undefined, ReturnType<typeof createStatusFeed>>();
  let streams = 0;
  const open = (lane: number | undefined) => {
    if (stop.signal.aborted || streams >= MAX_STREAMS) {
      const detail = `The server is stopping, or the maximum of ${MAX_STREAMS} streams has been reached.`;
      throw new Problem('overloaded', detail, { headers: retryLater });
    }
    const feed =
      feeds.get(lane) ?? createStatusFeed(async () => await read(lane), onFault, stop.signal, intervalMilliseconds);
    feeds.set(lane, feed);
    streams += 1;
    const answer = Readable.from(feed()).once('close', () => {
      streams -= 1;
    });
    return { answer, headers: { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' } };
  };
  const follow = operation({
    ...EVENTS,
    path: '/events',
    summary: 'Follow the status',
    description: `Streams the response of \`GET /status\`, immediately and then every two seconds, as server-sent events. Each \`status\` event contains the response as JSON. While the status cannot be read, each \`unavailable\` event contains a sentence in \`detail\`. The stream has no end. The maximum is ${MAX_STREAMS} concurrent streams.`,
    input: Type.Object({}),
    run: async () => open(undefined),
  });
  const followLane = operation({
    ...EVENTS,
    path: `${LANE_PATH}/events`,
    summary: 'Follow the status of a lane',
    description: 'Works like `GET /events`, but streams the response of `GET /lanes/{lane}/status`.',
    input: Type.Object({ lane: LaneNumber }),
    refusals: ['lane_not_found'],
    run: async ({ lane }) => open(lane),
  });
  for (const each of [follow, followLane]) addRoutes(app, each, services);
}
