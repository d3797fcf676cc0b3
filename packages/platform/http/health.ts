import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import Type, { type TProperties } from 'typebox';
import { retryLater } from './classify.ts';
import { jsonResponse as json, RETRY_AFTER } from './schema.ts';

const Alive = Type.Object(
  { status: Type.Literal('ok', { description: 'Always `ok`.' }) },
  { $id: 'Alive', description: 'The process is alive.' },
);

/** Probes time out after one second, so a check must finish sooner. */
const MAX_CHECK_MILLISECONDS = 800;
const WATCH_MILLISECONDS = 2_000;

/** The figures that accompany a reason, by name. */
type Figures = { [figure: string]: string | number | null | number[] };
/** The result of a check: a reason, possibly with figures. For a ready server, the result or its reason is null. */
type Checked<Reason extends string> = Reason | (Figures & { reason: Reason | null }) | null;

interface HealthOptions<Reason extends string> {
  /** All reasons that `check` may return. The first one is reported when a check times out. */
  reasons: readonly [Reason, ...Reason[]];
  /**
   * Returns why the server cannot handle requests now, possibly with figures. If the server can handle them, returns
   * null or figures with a null reason.
   */
  check: () => Promise<Checked<Reason>>;
  /** The schemas of the figures that a server returns while it is not ready. */
  figures?: TProperties;
  /** The schemas of the figures that a ready server returns. */
  readyFigures?: TProperties;
  /** Receives each result of `check`. If this is set, the check runs every two seconds, even without probes. */
  onCheck?: (checked: Checked<Reason>) => void;
}

/** Declares `/healthz` and `/readyz`, which do not need a key. Concurrent probes share one check. */
export function reportHealth<Reason extends string>(
  app: FastifyInstance,
  { reasons, check, figures = {}, readyFigures = {}, onCheck }: HealthOptions<Reason>,
): void {
  const Ready = Type.Object(
    { status: Type.Literal('ready', { description: 'Always `ready`.' }), ...readyFigures },
    { $id: 'Ready', description: 'Requests can be served.' },
  );
  const NotReady = Type.Object(
    {
      status: Type.Literal('not_ready', { description: 'Always `not_ready`.' }),
      reason: Type.Enum(['stopping', ...reasons], { description: 'The reason.', examples: [reasons[0]] }),
      ...figures,
    },
    { $id: 'NotReady', description: 'Requests cannot be served at the moment.' },
  );
  let runningCheck: Promise<Checked<Reason>> | undefined;
  async function sharedCheck(): Promise<Checked<Reason>> {
    runningCheck ??= check().finally(() => {
      runningCheck = undefined;
    });
    const enough = new AbortController();
    const late = delay(MAX_CHECK_MILLISECONDS, reasons[0], { signal: enough.signal }).catch(() => null);
    return await Promise.race([runningCheck, late]).finally(() => enough.abort());
  }

  const watching = onCheck && setInterval(async () => onCheck(await sharedCheck()), WATCH_MILLISECONDS);
  let stopping = false;
  app.addHook('preClose', async () => {
    stopping = true;
    clearInterval(watching);
  });

  const route = (operationId: string, summary: string, response: object) => ({
    schema: { operationId, tags: ['Service'], summary, security: [], response },
  });
  app.get('/healthz', route('getHealth', 'Is the process alive?', { 200: json(Alive) }), async () => ({
    status: 'ok',
  }));
  const readiness = { 200: json(Ready), 503: json(NotReady, RETRY_AFTER) };
  app.get('/readyz', route('getReadiness', 'Can it serve requests?', readiness), async (_request, reply) => {
    const checked = stopping ? 'stopping' : await sharedCheck();
    const { reason = null, ...others } = typeof checked === 'string' ? { reason: checked } : (checked ?? {});
    if (reason === null) return { status: 'ready', ...others };
    return reply
      .code(503)
      .headers(retryLater)
      .send({ status: 'not_ready', reason, ...others });
  });
}
