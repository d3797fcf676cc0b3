import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { startRecordingServer } from '../../../../test/support/recording-server.ts';
import { createTokenSource } from './oauth-token.ts';

/** Starts a token endpoint that sends these responses in turn. */
async function startEndpoint(answers: Response[], scope?: string) {
  const { origin, requests, close } = await startRecordingServer(() => answers.shift() ?? Response.error());
  onTestFinished(close);
  const url = `${origin}/token`;
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

const issued = (access_token: string, expires_in?: number | string) => Response.json({ access_token, expires_in });

describe('a login token', () => {
  it('is requested with client credentials, whose special characters are encoded', async () => {
    const { token, requests } = await startEndpoint([issued('first', 60)], 'kafka');
    expect(await token()).toBe('first');
    expect(await requests[0]?.text()).toBe('grant_type=client_credentials&scope=kafka');
    const [, login = ''] = requests[0]?.headers.get('authorization')?.split(' ') ?? [];
    expect(Buffer.from(login, 'base64').toString()).toBe('mile%3Apost:hush%26hush');
  });

  it('is requested once by connections that open together, and again after most of its lifetime', async () => {
    const { token, requests } = await startEndpoint([issued('first', 60), issued('second', 60)]);
    expect(await Promise.all([token(), token(), token()])).toEqual(['first', 'first', 'first']);
    const now = performance.now();
    const clock = vi.spyOn(performance, 'now');
    clock.mockReturnValue(now + 40_000);
    expect(await token()).toBe('first');
    clock.mockReturnValue(now + 50_000);
    expect(await token()).toBe('second');
    const body = 'grant_type=client_credentials';
    expect(await Promise.all(requests.map((request) => request.text()))).toEqual([body, body]);
  });

  it.each([
    ['of a minute, when the response states none', undefined, 48_000],
    ['as text', '100', 80_000],
    ['that is too short for a share of it', 10, 5_000],
  ])('is used for a lifetime %s', async (_, lifetime, used) => {
    const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
    const { token } = await startEndpoint([issued('first', lifetime), issued('second', 60)]);
    expect(await token()).toBe('first');
    clock.mockReturnValue(used - 1);
    expect(await token()).toBe('first');
    clock.mockReturnValue(used);
    expect(await token()).toBe('second');
  });

  it('is not requested from the address in a redirect, which would receive the login', async () => {
    const other = await startEndpoint([issued('stolen', 60)]);
    const { token, requests } = await startEndpoint([Response.redirect(other.url, 307)]);
    await expect(token()).rejects.toThrow(/ does not respond: /);
    expect([requests.length, other.requests.length]).toEqual([1, 0]);
  });

  it('is requested again after a refusal, and the reason contains no secret', async () => {
    const refusal = Response.json({ error: 'invalid_client' }, { status: 401 });
    const { token } = await startEndpoint([refusal, issued('late', 60)]);
    await expect(token()).rejects.toThrow(/^(?!.*hush)The token endpoint http:.* returns 401 invalid_client: check/);
    expect(await token()).toBe('late');
  });

  it('is requested again after the endpoint has not responded for five seconds', async () => {
    const endless = new Response(new ReadableStream());
    const { token, requests } = await startEndpoint([endless, issued('late', 60)]);
    const passed = new AbortController();
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(passed.signal);
    const first = token();
    await expect.poll(() => requests.length).toBe(1);
    expect(timeout.mock.calls).toEqual([[5_000]]);
    passed.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
    await expect(first).rejects.toThrow(/ does not respond: .*timeout/);
    expect(await token()).toBe('late');
    expect(requests).toHaveLength(2);
  });

  it.each(['', '[]', '{}', '{"access_token":7}', '<html>'])('is missing from the response %j', async (body) => {
    const { token } = await startEndpoint([new Response(body)]);
    await expect(token()).rejects.toThrow(/does not issue a token but returns 200/);
  });
});
