import { isPassingFault, type Pool } from '@milepost/postgres';
import { checkReadTables } from '@milepost/read-models/queries';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';

const Alive = Type.Object({ status: Type.Literal('ok') }, { description: 'The process is alive.' });
const Ready = Type.Object({ status: Type.Literal('ready') }, { description: 'Requests can be answered.' });
const NotReady = Type.Object(
  {
    status: Type.Literal('not_ready'),
    reason: Type.Enum(['stopping', 'database_unavailable', 'read_tables_unavailable']),
  },
  { description: 'Requests cannot be answered now.' },
);

type Reason = 'stopping' | 'database_unavailable' | 'read_tables_unavailable';

/** Declares `/healthz` and `/readyz`, which need no key. Many probes at once share one query. */
export function reportHealth(app: FastifyInstance, pool: Pool): void {
  let stopping = false;
  app.addHook('preClose', async () => {
    stopping = true;
  });

  let check: Promise<Reason | null> | undefined;
  async function checkTables(): Promise<Reason | null> {
    try {
      await checkReadTables(pool);
      return null;
    } catch (error) {
      return isPassingFault(error) ? 'database_unavailable' : 'read_tables_unavailable';
    } finally {
      check = undefined;
    }
  }

  function sharedCheck(): Promise<Reason | null> {
    check ??= checkTables();
    return check;
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
