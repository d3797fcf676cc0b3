import { startEmbeddedPostgres } from '@milepost/embedded-postgres';

/** A process that starts the server of the directory given as its argument, says so, and never stops it. */
const [directory] = process.argv.slice(2);
if (directory === undefined) throw new Error('usage: starter.ts DIRECTORY');
process.stdout.write('starting\n');
const server = await startEmbeddedPostgres({ directory, settings: { shared_buffers: '16MB' } });
process.stdout.write(`${server.url}\n`);
setInterval(() => {}, 60_000);
