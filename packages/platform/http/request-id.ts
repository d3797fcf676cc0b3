import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** Ids that are safe in headers, bodies and logs. */
const WELL_FORMED = /^[\w.~:+/=@-]{1,128}$/;

/**
 * Returns the id of a request: the value of `X-Request-Id`, or a new UUID. The header is accepted if its value consists
 * of 1 to 128 characters from `A-Za-z0-9_.~:+/=@-`.
 */
export function requestIdOf({ 'x-request-id': given }: IncomingHttpHeaders): string {
  return typeof given === 'string' && WELL_FORMED.test(given) ? given : randomUUID();
}

/**
 * `traceparent` (W3C Trace Context): version, trace id, id of the caller's span, flags. Later versions may add fields.
 */
const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-.*)?$/;

/** Returns the trace id of a request (32 hexadecimal digits), or undefined without a well-formed `traceparent`. */
export function traceIdOf({ traceparent }: IncomingHttpHeaders): string | undefined {
  const [, version, traceId, more] = TRACEPARENT.exec(typeof traceparent === 'string' ? traceparent : '') ?? [];
  return version === '00' && more !== undefined ? undefined : traceId;
}
