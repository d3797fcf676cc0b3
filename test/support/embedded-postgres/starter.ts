import { startEmbeddedPostgres } from '@milepost/embedded-postgres';

/** The argument is a directory. This script starts the server in it, reports that, and never stops it. */
const [directory] = process.argv.slice(2);
if (directory === undefined) throw new Error('usage: starter.ts DIRECTORY');
process.stdout.write('starting\n');
const server = await startEmbeddedPostgres({ directory, settings: { shared_buffers: '16MB' } });
process.stdout.write(`${server.url}\n`);
setInterval(() => {}, 60_000);
