import type { Freshness } from '@milepost/projections/queries';
import type { FastifyReply } from 'fastify';
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

/** `If-None-Match` (RFC 9110): `*` or a list of tags, of which weak and strong ones compare as equal. */
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
