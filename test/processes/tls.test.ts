import { execFileSync } from 'node:child_process';
import { appendFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { startEmbeddedPostgres } from '@milepost/embedded-postgres';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { owningNode } from '../../packages/platform/postgres/citus/owning-node.ts';
import { run } from '../support/command.ts';
import { serveFile } from '../support/deployment.ts';
import { openFolder, perSuite, untilTestEnds } from '../support/fixtures.ts';
import { Processes } from '../support/processes.ts';
import { needs } from '../support/programs.ts';
import { portSettings } from '../support/services/free-port.ts';
import { createAuthority } from '../support/services/kafka/authority.ts';
import { administer } from '../support/template.ts';

const home = perSuite(openFolder);
let authority: ReturnType<typeof createAuthority>;
let server: Awaited<ReturnType<typeof startEmbeddedPostgres>>;
let processes: Processes;

/**
 * Returns a URL that makes a client verify the server's certificate against an authority, as in docs/connections.md.
 */
const addressWith = ({ file }: { file: string }) => `${server.url}?sslmode=verify-full&sslrootcert=${file}`;

beforeAll(async () => {
  authority = createAuthority(home.path);
  const certificate = authority.sign('server');
  const directory = join(home.path, 'postgres');
  await (await startEmbeddedPostgres({ directory })).stop();
  const data = join(directory, 'data');
  for (const file of [certificate.cert, certificate.key]) {
    execFileSync('install', ['-m', '600', '-t', data, file]);
    execFileSync('chown', ['--reference', join(data, 'PG_VERSION'), join(data, basename(file))]);
  }
  server = await startEmbeddedPostgres({ directory, settings: { ssl: 'on' } });
  // From now on, the server refuses connections without TLS.
  writeFileSync(join(data, 'pg_hba.conf'), 'hostssl all all 127.0.0.1/32 scram-sha-256\n');
  appendFileSync(join(data, 'pg_hba.conf'), 'hostssl replication all 127.0.0.1/32 scram-sha-256\n');
  await administer(addressWith(authority), ['SELECT pg_reload_conf()']);

  const ports = await portSettings('PORT', 'OPS_PORT');
  processes = new Processes({ ...ports, DATABASE_URL: addressWith(authority), OPS_TOKEN: 'a-token-of-operators' });
});

afterAll(async () => {
  await processes?.end();
  await server?.stop();
});

it(
  "every process uses TLS with a server that requires it, and verifies the server's certificate",
  needs('openssl'),
  async () => {
    for (const [address, reason] of [
      [server.url, /no encryption/],
      [addressWith(createAuthority(untilTestEnds(await openFolder()).path)), /certificate/],
    ] as const) {
      const refused = await run(['migrate'], { DATABASE_URL: address });
      expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(reason) });
    }

    await serveFile(processes);
    // The audit over HTTP also uses the worker and its queue in the database.
    const ops = `http://127.0.0.1:${processes.settings['OPS_PORT']}`;
    await expect.poll(async () => (await fetch(`${ops}/healthz`).catch(() => null))?.status).toBe(200);
    expect(await processes.run('audit', '--server', ops)).toContain('no faults found');
  },
);

it("a process uses its database's TLS settings to look up the node that owns a lane", needs('openssl'), async () => {
  // Without an authority, `require` accepts any certificate.
  const node = owningNode(`${server.url}?sslmode=require`, 'milepost_lane_1');
  await expect(node.usable()).rejects.toThrow('relation "pg_dist_schema" does not exist');
});
