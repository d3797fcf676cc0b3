import { messageOf } from '@milepost/service';
import type { OauthConfig } from '../config.ts';

const TIMEOUT_MILLISECONDS = 5_000;
const MAX_ANSWER_CHARACTERS = 64 * 1024;
/**
 * This long before a session ends, the client logs in again with a new token. Every session must last longer than this,
 * because a broker rejects a login that follows the previous one on the same connection within one second.
 */
export const RENEWAL_MILLISECONDS = 3_000;
/** Connections use a token for this fraction of its lifetime, or less if too little time would remain (see below). */
const USED_LIFETIME = 0.8;
const MIN_REMAINING_MILLISECONDS = RENEWAL_MILLISECONDS + 2_000;
/** The lifetime assumed for a token when the token response does not give one. */
const DEFAULT_LIFETIME_SECONDS = 60;

/** Returns the response fields that Milepost uses, or no fields if the response is not JSON. */
function parseAnswer(text: string): { token?: string; seconds?: number; error?: string } {
  try {
    const answer: unknown = JSON.parse(text);
    if (typeof answer !== 'object' || answer === null) return {};
    const token = 'access_token' in answer && typeof answer.access_token === 'string' ? answer.access_token : '';
    const seconds = 'expires_in' in answer ? Number(answer.expires_in) : Number.NaN;
    const error = 'error' in answer && typeof answer.error === 'string' ? answer.error : '';
    return { ...(token && { token }), ...(seconds > 0 && { seconds }), ...(error && { error }) };
  } catch {
    return {};
  }
}

/** Encodes a part of the login as RFC 6749 requires (section 2.3.1). */
const formEncoded = (text: string) => new URLSearchParams({ '': text }).toString().slice(1);

async function request({ tokenEndpoint, clientId, clientSecret, scope }: OauthConfig): Promise<Response> {
  const login = Buffer.from(`${formEncoded(clientId)}:${formEncoded(clientSecret)}`).toString('base64');
  return await fetch(tokenEndpoint, {
    method: 'POST',
    headers: { authorization: `Basic ${login}`, accept: 'application/json' },
    body: new URLSearchParams({ grant_type: 'client_credentials', ...(scope === undefined ? {} : { scope }) }),
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS),
  });
}

/**
 * Returns a function that supplies a valid token. When most of the last token's lifetime has passed, it requests a new
 * token from the token endpoint. Connections that open at the same time share one request.
 */
export function createTokenSource(config: OauthConfig): () => Promise<string> {
  let current: Promise<string> | null = null;
  let usedUntil = Number.POSITIVE_INFINITY;

  async function requestToken(): Promise<string> {
    const endpoint = `The token endpoint ${config.tokenEndpoint}`;
    const requestedAt = performance.now();
    const response = await request(config).catch((error: unknown) => {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
      throw new Error(`${endpoint} does not respond: ${messageOf(cause)}.`);
    });
    const { token, seconds, error } = parseAnswer((await response.text()).slice(0, MAX_ANSWER_CHARACTERS));
    if (token === undefined) {
      const answer = `${response.status}${error === undefined ? '' : ` ${error}`}`;
      const hint = 'check KAFKA_SASL_OAUTHBEARER_CLIENT_ID, _CLIENT_SECRET and _SCOPE';
      throw new Error(`${endpoint} does not issue a token but returns ${answer}: ${hint}.`);
    }
    const milliseconds = (seconds ?? DEFAULT_LIFETIME_SECONDS) * 1_000;
    usedUntil = requestedAt + Math.min(milliseconds * USED_LIFETIME, milliseconds - MIN_REMAINING_MILLISECONDS);
    return token;
  }

  return async () => {
    if (current === null || performance.now() >= usedUntil) {
      usedUntil = Number.POSITIVE_INFINITY;
      const requested = requestToken();
      current = requested;
      requested.catch(() => {
        if (current === requested) current = null;
      });
    }
    return await current;
  };
}
