import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createTokenSource } from './oauth-token.ts';

/** With `null`, the endpoint does not respond to the request. */
type Answer = { status?: number; body: string; location?: string } | null;

/** Starts a token endpoint that sends each response once and then repeats the last one. */
async function startEndpoint(answers: readonly Answer[], scope?: string) {
  const requests: { headers: IncomingMessage['headers']; body: string }[] = [];
  const server = createServer(async (request, response) => {
    requests.push({ headers: request.headers, body: await text(request) });
    const answer = answers[Math.min(requests.length, answers.length) - 1];
    if (answer === null) return;
    const location = answer?.location === undefined ? {} : { location: answer.location };
    response.writeHead(answer?.status ?? 200, { 'content-type': 'application/json', ...location }).end(answer?.body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const url = `http://127.0.0.1:${port}/token`;
  const token = createTokenSource({
    mechanism: 'oauthbearer',
    tokenEndpoint: url,
    clientId: 'mile:post',
    clientSecret: 'hush&hush',
    scope,
    extensions: {},
  });
  return { token, requests, url };
}

const issued = (access_token: string, expires_in?: number | string) => ({
  body: JSON.stringify({ access_token, expires_in }),
});

describe('a login token', () => {
  it('is requested with client credentials, whose special characters are encoded', async () => {
    const { token, requests } = await startEndpoint([issued('first', 60)], 'kafka');
    expect(await token()).toBe('first');
    expect(requests).toMatchObject([{ body: 'grant_type=client_credentials&scope=kafka' }]);
    const [, login = ''] = requests[0]?.headers.authorization?.split(' ') ?? [];
    expect(Buffer.from(login, 'base64').toString()).toBe('mile%3Apost:hush%26hush');
  });

  it('is requested once by connections that open together, and again after most of its lifetime', async () => {
    const { token, requests } = await startEndpoint([issued('first', 60), issued('second', 60)]);
    expect(await Promise.all([token(), token(), token()])).toEqual(['first', 'first', 'first']);
    const now = performance.now();
    const clock = vi.spyOn(performance, 'now');
    onTestFinished(() => clock.mockRestore());
    clock.mockReturnValue(now + 40_000);
    expect(await token()).toBe('first');
    clock.mockReturnValue(now + 50_000);
    expect(await token()).toBe('second');
    expect(requests).toMatchObject([
      { body: 'grant_type=client_credentials' },
      { body: 'grant_type=client_credentials' },
    ]);
  });

  it.each([
    ['of a minute, when the response states none', undefined, 48_000],
    ['as text', '100', 80_000],
    ['that is too short for a share of it', 10, 5_000],
  ])('is used for a lifetime %s', async (_, lifetime, used) => {
    const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
    onTestFinished(() => clock.mockRestore());
    const { token } = await startEndpoint([issued('first', lifetime), issued('second', 60)]);
    expect(await token()).toBe('first');
    clock.mockReturnValue(used - 1);
    expect(await token()).toBe('first');
    clock.mockReturnValue(used);
    expect(await token()).toBe('second');
  });

  it('is not requested from the address in a redirect, which would receive the login', async () => {
    const other = await startEndpoint([issued('stolen', 60)]);
    const { token, requests } = await startEndpoint([{ status: 307, body: '', location: other.url }]);
    await expect(token()).rejects.toThrow(/ does not respond: /);
    expect([requests.length, other.requests.length]).toEqual([1, 0]);
  });

  it('is requested again after a refusal, and the reason contains no secret', async () => {
    const refusal = { status: 401, body: '{"error":"invalid_client"}' };
    const { token } = await startEndpoint([refusal, issued('late', 60)]);
    await expect(token()).rejects.toThrow(/^(?!.*hush)The token endpoint http:.* returns 401 invalid_client: check/);
    expect(await token()).toBe('late');
  });

  it('is requested again after the endpoint has not responded for five seconds', async () => {
    const { token, requests } = await startEndpoint([null, issued('late', 60)]);
    const passed = new AbortController();
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(passed.signal);
    onTestFinished(() => timeout.mockRestore());
    const first = token();
    await expect.poll(() => requests.length).toBe(1);
    expect(timeout.mock.calls).toEqual([[5_000]]);
    passed.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
    await expect(first).rejects.toThrow(/ does not respond: .*timeout/);
    expect(await token()).toBe('late');
    expect(requests).toHaveLength(2);
  });

  it.each(['', '[]', '{}', '{"access_token":7}', '<html>'])('is missing from the response %j', async (body) => {
    const { token } = await startEndpoint([{ body }]);
    await expect(token()).rejects.toThrow(/does not issue a token but returns 200/);
  });
});
