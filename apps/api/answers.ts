import type { Freshness, Page, PageRequest } from '@milepost/projections/queries';
import type { FastifyReply } from 'fastify';
import Type from 'typebox';
import xxhash from 'xxhash-wasm';

const JSON_TYPE = 'application/json; charset=utf-8';

const { h64 } = await xxhash();

/**
 * Weak, because the compressed forms of a body share its tag. 64 bits of XXH64, for a cryptographic hash would be the
 * costliest step of a request; a tag only has to tell versions of one answer apart.
 */
function entityTag(body: string): string {
  return `W/"${h64(body).toString(36)}"`;
}

/**
 * `If-None-Match` (RFC 9110): `*` or a list of tags, of which weak and strong ones compare as equal. Exported for
 * tests.
 */
export function matchesTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  const opaque = tag.slice('W/'.length);
  // Between its quotes a tag may hold commas and asterisks.
  return header.matchAll(/"[^"]*"/g).some(([candidate]) => candidate === opaque);
}

/**
 * Sends a finished JSON text as it is, or 304 to a consumer who has it already.
 *
 * @param freshness whole seconds of its lag are told: what other fleets store is applied within one, and stays unseen
 */
export function sendFinished(reply: FastifyReply, { position, lag_seconds }: Freshness, body: string): FastifyReply {
  const tag = entityTag(body);
  reply.headers({
    'cache-control': 'private, no-cache',
    etag: tag,
    'milepost-lag-seconds': Math.floor(lag_seconds),
    'milepost-position': position,
    vary: 'accept-encoding',
  });
  if (matchesTag(reply.request.headers['if-none-match'], tag)) return reply.code(304).send();
  return reply.type(JSON_TYPE).send(body);
}

function integer(minimum: number, maximum: number, usual: number, description: string) {
  const expected = `a plain decimal integer from ${minimum} to ${maximum}.`;
  return Type.Integer({ minimum, maximum, default: usual, description, expected });
}

const FIRST_PAGE = 1;
const USUAL_LIMIT = 50;

export const PageNumber = Type.Optional(
  integer(1, Number.MAX_SAFE_INTEGER, FIRST_PAGE, 'Page number. A page past the end is empty.'),
);
export const Limit = Type.Optional(integer(1, 100, USUAL_LIMIT, 'Records per page.'));

/** The page that a query asks for. */
export function pageOf({ page = FIRST_PAGE, limit = USUAL_LIMIT }: Partial<PageRequest>): PageRequest {
  return { page, limit };
}

/** Past the last page that any table can have; queries get no higher one, so that their offsets stay safe integers. */
const LAST_PAGE = 2 ** 40;

/** `request` with a page number that queries take. */
export function queryPage({ page, limit }: PageRequest): PageRequest {
  return { page: Math.min(page, LAST_PAGE), limit };
}

/** What every page has beside its records. */
export const pageProperties = {
  count: Type.Integer({ minimum: 0, description: 'Matching records over all pages.', examples: [40] }),
  current_page: Type.Integer({ minimum: 1, description: 'Number of this page; the first is 1.', examples: [1] }),
  next_page: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    description: 'Next page number; null when there is none.',
    examples: [2],
  }),
  limit: Type.Integer({ minimum: 1, description: 'Records per page.', examples: [5] }),
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
