import type { Freshness } from '@milepost/projections/queries';
import type { FastifyReply } from 'fastify';
import xxhash from 'xxhash-wasm';

const JSON_TYPE = 'application/json; charset=utf-8';

const { h64 } = await xxhash();

/**
 * Returns a weak tag, because all compressed forms of a body share one tag. The tag is an XXH64 hash (64 bits): a
 * cryptographic hash would be the most expensive step of a request, and tags only have to differ between versions of
 * one response.
 */
function entityTag(body: string): string {
  return `W/"${h64(body).toString(36)}"`;
}

/**
 * Returns whether `If-None-Match` (RFC 9110), which is `*` or a list of tags, matches a tag. It makes no difference
 * whether a tag is weak or strong. Exported for tests.
 */
export function matchesTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  const opaque = tag.slice('W/'.length);
  // A quoted tag may contain commas and asterisks.
  return header.matchAll(/"[^"]*"/g).some(([candidate]) => candidate === opaque);
}

/**
 * Sends a JSON text unchanged, or status 304 to a consumer that already has it.
 *
 * @param freshness its lag is rounded down to whole seconds, usually to 0. A more exact lag would reveal when other
 *   fleets' records arrive, because the lag includes their stored events.
 */
export function sendJson(reply: FastifyReply, { position, lag_seconds }: Freshness, body: string): FastifyReply {
  const tag = entityTag(body);
  // If CORS_ORIGINS is set, the Vary header already contains Origin.
  const vary = [reply.getHeader('vary') ?? [], 'accept-encoding'].flat().join(', ');
  reply.headers({
    'cache-control': 'private, no-cache',
    etag: tag,
    'milepost-lag-seconds': Math.floor(lag_seconds),
    'milepost-position': position,
    vary,
  });
  if (matchesTag(reply.request.headers['if-none-match'], tag)) return reply.code(304).send();
  return reply.type(JSON_TYPE).send(body);
}
