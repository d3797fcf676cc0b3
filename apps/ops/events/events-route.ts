import { problemResponses, retryLater } from '@milepost/http';
import { asRequest } from '@milepost/operations/mention';
import type { OperationContext } from '@milepost/operations/operation';
import { roomOf } from '@milepost/operations/rooms';
import { showStatus } from '@milepost/operations/status';
import { type Logger, messageOf } from '@milepost/service';
import type { FastifyInstance } from 'fastify';
import { createInputReader } from '../operation-input.ts';
import { DEFAULT_OPERATOR } from '../plugins/operator.ts';
import { PROBLEMS, Problem } from '../problems.ts';
import { StatusFeed } from './status-feed.ts';

const MOST_STREAMS = 50;

const SCHEMA = {
  operationId: 'followStatus',
  tags: [roomOf(showStatus).tag],
  summary: 'Follow the status',
  description:
    'What `GET /status` answers, at once and then every two seconds, as server-sent events. An event `status` has it as JSON. While it cannot be read, there are events `unavailable` instead, with a sentence in `detail`. The stream goes on until either side ends it. There may be 50 at once.',
  response: {
    200: {
      description: 'Events without end.',
      content: { 'text/event-stream': { schema: { type: 'string' } } },
    },
    ...problemResponses(PROBLEMS, ['invalid_parameter', 'unauthorized', 'rate_limited', 'internal', 'overloaded'], {
      counted: true,
    }),
  },
};

/**
 * Declares `/events`, which streams the status to whoever has the token.
 *
 * @param intervalMilliseconds from one status to the next; two seconds unless told otherwise
 */
export function streamStatus(
  app: FastifyInstance,
  context: Omit<OperationContext, 'operator' | 'keep' | 'mention'>,
  logger: Logger,
  intervalMilliseconds?: number,
): void {
  const asked = { ...context, operator: DEFAULT_OPERATOR, keep: () => {}, mention: asRequest };
  const feed = new StatusFeed(
    async () => (await showStatus.run(asked, {})).answer,
    (error) => logger.warn({ reason: messageOf(error) }, 'The status could not be read for those who follow it.'),
    intervalMilliseconds,
  );
  // It takes what the status takes: no parameter, which it says of any other.
  const readInput = createInputReader(showStatus);
  let stopping = false;
  app.addHook('preClose', async () => {
    stopping = true;
    feed.close();
  });
  app.get('/events', { schema: SCHEMA }, async (request, reply) => {
    readInput(request);
    if (stopping || feed.listeners >= MOST_STREAMS) {
      throw new Problem('overloaded', 'No more streams can be opened.', { headers: retryLater });
    }
    const stream = feed.listen();
    // Fastify leaves a stream open whose reader has gone away before the first byte.
    reply.raw.once('close', () => stream.destroy());
    return reply
      .headers({ 'cache-control': 'no-store', 'x-accel-buffering': 'no' })
      .type('text/event-stream; charset=utf-8')
      .send(stream);
  });
}
