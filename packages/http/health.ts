import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import Type, { type TProperties } from 'typebox';
import { jsonResponse as json } from './schema.ts';

const Alive = Type.Object(
  { status: Type.Literal('ok', { description: 'Always `ok`.' }) },
  { $id: 'Alive', description: 'The process is alive.' },
);
const Ready = Type.Object(
  { status: Type.Literal('ready', { description: 'Always `ready`.' }) },
  { $id: 'Ready', description: 'Requests can be answered.' },
);

/** Who probes gives up after a second. */
const LONGEST_CHECK_MILLISECONDS = 800;
const WATCH_MILLISECONDS = 2_000;

/** A reason alone, or with figures. */
type Unready<Reason extends string> = Reason | { reason: Reason; [figure: string]: string | number | null };

interface HealthOptions<Reason extends string> {
  /** All that `check` may say; the first also stands for a check that takes too long. */
  reasons: readonly [Reason, ...Reason[]];
  /** Why requests cannot be answered now, with figures beside it where there are any; null when they can. */
  check: () => Promise<Unready<Reason> | null>;
  /** The schemas of the figures. */
  figures?: TProperties;
  /** Told what `check` says, which is then asked every two seconds also when nobody probes. */
  onCheck?: (reason: Unready<Reason> | null) => void;
}

/** Declares `/healthz` and `/readyz`, which need no key. Many probes at once share one check. */
export function reportHealth<Reason extends string>(
  app: FastifyInstance,
  { reasons, check, figures = {}, onCheck }: HealthOptions<Reason>,
): void {
  const NotReady = Type.Object(
    {
      status: Type.Literal('not_ready', { description: 'Always `not_ready`.' }),
      reason: Type.Enum(['stopping', ...reasons], { description: 'Why.', examples: [reasons[0]] }),
      ...figures,
    },
    { $id: 'NotReady', description: 'Requests cannot be answered now.' },
  );
  let underWay: Promise<Unready<Reason> | null> | undefined;
  async function sharedCheck(): Promise<Unready<Reason> | null> {
    underWay ??= check().finally(() => {
      underWay = undefined;
    });
    const enough = new AbortController();
    const late = delay(LONGEST_CHECK_MILLISECONDS, reasons[0], { signal: enough.signal }).catch(() => null);
    return await Promise.race([underWay, late]).finally(() => enough.abort());
  }

  const watching = onCheck && setInterval(async () => onCheck(await sharedCheck()), WATCH_MILLISECONDS);
  let stopping = false;
  app.addHook('preClose', async () => {
    stopping = true;
    clearInterval(watching);
  });

  const tags = ['Service'];
  app.get(
    '/healthz',
    {
      schema: {
        operationId: 'getHealth',
        tags,
        summary: 'Is the process alive?',
        security: [],
        response: { 200: json(Alive) },
      },
    },
    async () => ({ status: 'ok' }),
  );
  app.get(
    '/readyz',
    {
      schema: {
        operationId: 'getReadiness',
        tags,
        summary: 'Can it answer?',
        security: [],
        response: { 200: json(Ready), 503: json(NotReady) },
      },
    },
    async (_request, reply) => {
      const reason = stopping ? 'stopping' : await sharedCheck();
      if (reason === null) return { status: 'ready' };
      return reply.code(503).send({ status: 'not_ready', ...(typeof reason === 'string' ? { reason } : reason) });
    },
  );
}
