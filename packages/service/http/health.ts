import type { FastifyInstance } from 'fastify';
import Type from 'typebox';

const Alive = Type.Object({ status: Type.Literal('ok') }, { description: 'The process is alive.' });
const Ready = Type.Object({ status: Type.Literal('ready') }, { description: 'Requests can be answered.' });

/**
 * Declares `/healthz` and `/readyz`, which need no key. Many probes at once share one check.
 *
 * @param reasons all that `check` may say
 * @param check why requests cannot be answered now, null when they can
 */
export function reportHealth<Reason extends string>(
  app: FastifyInstance,
  reasons: readonly Reason[],
  check: () => Promise<Reason | null>,
): void {
  const NotReady = Type.Object(
    { status: Type.Literal('not_ready'), reason: Type.Enum(['stopping', ...reasons]) },
    { description: 'Requests cannot be answered now.' },
  );
  let stopping = false;
  app.addHook('preClose', async () => {
    stopping = true;
  });

  let underWay: Promise<Reason | null> | undefined;
  function sharedCheck(): Promise<Reason | null> {
    underWay ??= check().finally(() => {
      underWay = undefined;
    });
    return underWay;
  }

  const tags = ['Service'];
  app.get(
    '/healthz',
    { schema: { tags, summary: 'Is the process alive?', security: [], response: { 200: Alive } } },
    async () => ({ status: 'ok' }),
  );
  app.get(
    '/readyz',
    { schema: { tags, summary: 'Can it answer?', security: [], response: { 200: Ready, 503: NotReady } } },
    async (_request, reply) => {
      const reason = stopping ? 'stopping' : await sharedCheck();
      if (reason === null) return { status: 'ready' };
      return reply.code(503).send({ status: 'not_ready', reason });
    },
  );
}
