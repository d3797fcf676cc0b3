import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { ROLES } from '@milepost/postgres';
import { beforeEach, expect, it, vi } from 'vitest';
import { openClient } from '../../../apps/cli/client/open-client.ts';
import { perTest } from '../../support/fixtures.ts';
import { openOps, opsProblem, TOKEN } from '../../support/ops.ts';
import { deliver, openPool } from '../../support/pipeline.ts';
import { driverProfile, tripProcessed } from '../../support/records.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';
import { firstValue } from '../../support/tables.ts';

/** `LARGE_LETTER_MEGABYTES=80` measures a size that has occurred in practice. */
const LETTER_BYTES = Number(process.env['LARGE_LETTER_MEGABYTES'] ?? 24) * 1_000_000;
const PREVIEW_BYTES = 256 * 1024;
const DRIVER = 'víctim "x"/42';

/** Returns a record whose ids are in the last bytes, beyond the size limit for records. */
function largeRecord(driver = DRIVER): Buffer {
  const end = Buffer.from(`","fleet_id":"acme","driver_id":${JSON.stringify(driver)}}`);
  const raw = Buffer.alloc(LETTER_BYTES, 'a long line, '.repeat(50));
  raw.write('{"x":"');
  end.copy(raw, raw.byteLength - end.byteLength);
  return raw;
}

const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

describeWithPostgres('a dead letter of many megabytes', () => {
  const world = perTest(openOps);
  const eraserPool = perTest(async () => openPool(world.pipeline.url, ROLES.eraser));
  let server: string;
  /** Functions that return how many bytes each of the pools' connections has received from PostgreSQL. */
  let received: (() => number)[];
  beforeEach(async () => {
    received = [];
    for (const pool of [eraserPool, world.pool]) {
      pool.on('connect', (client) => {
        const { stream } = Object(client).connection;
        received.push(() => stream.bytesRead);
      });
    }
    const ops = await world.build({ eraserPool });
    server = await ops.listen({ host: '127.0.0.1', port: 0 });
  });

  const bytesReceived = () => received.reduce((sum, read) => sum + read(), 0);

  async function download(id: number): Promise<IncomingMessage> {
    const request = get(`${server}/dead-letters/${id}/record`, { headers: { authorization: `Bearer ${TOKEN}` } });
    const [answer] = await once(request, 'response');
    return answer;
  }

  const erase = async (driver: string) =>
    await fetch(`${server}/drivers/acme/${encodeURIComponent(driver)}/erasure`, {
      method: 'POST',
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify({ reason: 'case 812' }),
    });

  it('is shown with its first bytes and its size, and downloaded in chunks over HTTP and by the command', async () => {
    const raw = largeRecord();
    await deliver(world.pipeline.ingest, [raw, null, '{"small"']);
    const shown = (await world.ask('/dead-letters/1')).json();
    expect(shown).toMatchObject({ reason: 'record_too_large', raw_bytes: raw.byteLength });
    expect(Buffer.from(shown.raw_base64, 'base64').equals(raw.subarray(0, PREVIEW_BYTES))).toBe(true);
    expect((await world.ask('/dead-letters')).json().dead_letters[2]).toMatchObject({ raw_bytes: raw.byteLength });

    const answer = await download(1);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-length': String(raw.byteLength),
      'cache-control': 'no-store',
    });
    expect(digest(await buffer(answer))).toBe(digest(raw));

    vi.stubEnv('DATABASE_URL', world.pipeline.url);
    vi.stubEnv('OPS_TOKEN', TOKEN);
    for (const address of [undefined, server]) {
      await using client = await openClient(address);
      const bytesOf = async (id: number) => await buffer(client.readRecord(id));
      expect(digest(await bytesOf(1)), address).toBe(digest(raw));
      expect((await bytesOf(2)).toString()).toBe('');
      expect((await bytesOf(3)).toString()).toBe('{"small"');
      await expect(bytesOf(4711)).rejects.toThrow(
        'There is no dead letter 4711. Try `milepost dead-letters list --all`.',
      );
    }
    opsProblem(await world.ask('/dead-letters/4711/record'), 404, 'dead_letter_not_found');
  });

  it('is read no faster than the client downloads it, and the download ends if the driver is erased', async () => {
    await deliver(world.pipeline.ingest, [largeRecord()]);
    const before = bytesReceived();
    const answer = await download(1);
    answer.pause();
    const erased = await erase(DRIVER);
    expect(await erased.json()).toMatchObject({ dead_letters: 1 });
    // PostgreSQL sends each byte as two hexadecimal digits, and sockets buffer a few megabytes.
    expect(bytesReceived() - before).toBeLessThan(1.5 * LETTER_BYTES);
    await expect(buffer(answer)).rejects.toThrow('aborted');
    expect((await world.ask('/dead-letters/1')).json()).toMatchObject({ raw_base64: null, raw_bytes: null });
    expect((await download(1)).headers['content-length']).toBe('0');
  });

  it('is not read if its own driver or another driver is erased', async () => {
    await deliver(world.pipeline.ingest, [
      driverProfile({ driver_id: DRIVER }),
      driverProfile({ driver_id: 'ada' }),
      largeRecord(),
    ]);
    const before = bytesReceived();
    for (const [driver, dead_letters] of [
      ['ada', 0],
      [DRIVER, 1],
    ] as const) {
      const started = performance.now();
      const answer = await erase(driver);
      const milliseconds = Math.round(performance.now() - started);
      if (process.env['LARGE_LETTER_MEGABYTES']) process.stdout.write(`${dead_letters} erased in ${milliseconds} ms\n`);
      expect(answer.status).toBe(200);
      expect(await answer.json()).toMatchObject({ dead_letters });
    }
    expect(bytesReceived() - before).toBeLessThan(1_000_000);
    const kept = 'SELECT sum(octet_length(bytes)) FROM dead_letter_chunk';
    expect(await firstValue(world.pipeline.owner, kept)).toBe(0);
  });

  it("is listed in its driver's trace, but only its first bytes are read", async () => {
    const raw = largeRecord();
    await deliver(world.pipeline.ingest, [tripProcessed({ driver_id: DRIVER }), raw]);
    const before = bytesReceived();
    const trace = await world.ask(`/drivers/acme/${encodeURIComponent(DRIVER)}/trace?date=2025-01-15`);
    const read = bytesReceived() - before;
    expect(read).toBeLessThan(2_000_000);
    expect(read).toBeGreaterThan(PREVIEW_BYTES);
    expect(trace.statusCode, trace.body).toBe(200);
    expect(trace.json().dead_letters).toMatchObject([{ match: 'text', raw_bytes: raw.byteLength }]);
  });

  it('is retried with all of its bytes', async () => {
    const profile = driverProfile({ driver_id: 'ada' });
    await deliver(world.pipeline.ingest, [{ ...profile, email: 17, note: 'x'.repeat(3 * PREVIEW_BYTES) }]);
    // The bytes become valid, as if a bug in the rules had been fixed.
    await world.pipeline.owner.query(
      `UPDATE dead_letter SET raw = convert_to(replace(convert_from(raw, 'UTF8'), '"email":17', '"email":null'), 'UTF8')`,
    );
    const retried = await world.ask('/dead-letters/retry', { method: 'POST', body: { ids: [1] } });
    expect(retried.json()).toMatchObject({ results: [{ id: 1, outcome: 'stored' }] });
  });
});
