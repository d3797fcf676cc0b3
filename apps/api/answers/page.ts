import type { Page, PageRequest } from '@milepost/projections/queries';
import type { FastifyReply } from 'fastify';
import Type from 'typebox';
import { sendFinished } from './send.ts';

/** Past the last page that any table can have; queries get no higher one, so that their offsets stay safe integers. */
const LAST_PAGE = 2 ** 40;

/** `request` with a page number that queries take. */
export function queryPage({ page, limit }: PageRequest): PageRequest {
  return { page: Math.min(page, LAST_PAGE), limit };
}

/** What every page has beside its records. */
export const pageProperties = {
  count: Type.Integer({ description: 'Matching records over all pages.' }),
  current_page: Type.Integer(),
  next_page: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    description: 'Next page number; null when there is none.',
  }),
  limit: Type.Integer({ description: 'Records per page.' }),
};

/** Sends a page in its envelope; its items are finished JSON already. */
export function sendPage(
  reply: FastifyReply,
  name: 'drivers' | 'trips',
  { page, limit }: PageRequest,
  { count, items, ...freshness }: Page,
): FastifyReply {
  const next = page * limit < count ? page + 1 : null;
  const head = `{"count":${count},"current_page":${page},"next_page":${next},"limit":${limit},`;
  return sendFinished(reply, freshness, `${head}"${name}":[${items}]}`);
}
