import type { FastifyInstance } from 'fastify';
import Type, { type TProperties } from 'typebox';

const Alive = Type.Object({ status: Type.Literal('ok') }, { description: 'The process is alive.' });
const Ready = Type.Object({ status: Type.Literal('ready') }, { description: 'Requests can be answered.' });

/** A reason alone, or with figures. */
export type Unready<Reason extends string> = Reason | { reason: Reason; [figure: string]: string | number | null };

/**
 * Declares `/healthz` and `/readyz`, which need no key. Many probes at once share one check.
 *
 * @param reasons all that `check` may say
 * @param check why requests cannot be answered now, with figures beside it where there are any; null when they can
 * @param figures the schemas of these
 */
export function reportHealth<Reason extends string>(
  app: FastifyInstance,
  reasons: readonly Reason[],
  check: () => Promise<Unready<Reason> | null>,
  figures: TProperties = {},
): void {
  const NotReady = Type.Object(
    { status: Type.Literal('not_ready'), reason: Type.Enum(['stopping', ...reasons]), ...figures },
    { description: 'Requests cannot be answered now.' },
  );
  let stopping = false;
  app.addHook('preClose', async () => {
    stopping = true;
  });

  let underWay: Promise<Unready<Reason> | null> | undefined;
  function sharedCheck(): Promise<Unready<Reason> | null> {
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
      return reply.code(503).send({ status: 'not_ready', ...(typeof reason === 'string' ? { reason } : reason) });
    },
  );
}
