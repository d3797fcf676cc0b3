import type { Page, PageRequest } from '@milepost/projections/queries';
import type { FastifyReply } from 'fastify';
import Type from 'typebox';
import { sendJson } from './send-json.ts';

function integer(minimum: number, maximum: number, usual: number, description: string) {
  const expected = `a plain decimal integer from ${minimum} to ${maximum}.`;
  return Type.Integer({ minimum, maximum, default: usual, description, expected });
}

const FIRST_PAGE = 1;
const DEFAULT_LIMIT = 50;

export const PageNumber = Type.Optional(
  integer(1, Number.MAX_SAFE_INTEGER, FIRST_PAGE, 'Page number. A page past the end is empty.'),
);
export const Limit = Type.Optional(integer(1, 100, DEFAULT_LIMIT, 'Records per page.'));

/** Returns the requested page, with defaults for missing parameters. */
export function pageOf({ page = FIRST_PAGE, limit = DEFAULT_LIMIT }: Partial<PageRequest>): PageRequest {
  return { page, limit };
}

/** The fields that every page has in addition to its records. */
export const pageProperties = {
  count: Type.Integer({ minimum: 0, description: 'Matching records across all pages.', examples: [40] }),
  current_page: Type.Integer({ minimum: 1, description: 'Page number, starting at 1.', examples: [1] }),
  next_page: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    description: 'Next page number; null when there is none.',
    examples: [2],
  }),
  limit: Type.Integer({ minimum: 1, description: 'Records per page.', examples: [5] }),
};

/** Sends a page. The items are already JSON and are sent unchanged. */
export function sendPage(
  reply: FastifyReply,
  name: 'drivers' | 'trips',
  { page, limit }: PageRequest,
  { count, items, ...freshness }: Page,
): FastifyReply {
  const next = page * limit < count ? page + 1 : null;
  const head = `{"count":${count},"current_page":${page},"next_page":${next},"limit":${limit},`;
  return sendJson(reply, freshness, `${head}"${name}":[${items}]}`);
}
