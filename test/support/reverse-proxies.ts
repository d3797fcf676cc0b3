import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe } from 'vitest';
import { until } from './faults/patience.ts';
import { needs } from './programs.ts';
import { startInDirectory } from './services/directory.ts';
import { freePorts } from './services/free-port.ts';
import { guardProcess } from './services/guard.ts';

/** The server's port for each path. The proxy removes the path from requests. */
type Mounts = Readonly<Record<string, number>>;

/** A kind of proxy, and how to configure it for its targets. */
interface ProxyKind<Targets> {
  name: string;
  program: 'nginx' | 'haproxy';
  configuration: (port: number, targets: Targets, folder: string) => string;
  words: (file: string, folder: string) => string[];
}

/** Returns a configuration of nginx with this content in its `http` block, and its temporary files in a folder. */
const nginxConfiguration = (folder: string, level: 'warn' | 'crit', content: string) => `
    daemon off; pid ${folder}/pid; error_log stderr ${level}; worker_processes 1;
    events {}
    http {
      access_log off;
      client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/fastcgi;
      uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
      ${content}
    }`;

/** Returns a location block as in docs/connections.md. With a path after the port, nginx would decode ids in paths. */
const nginxLocation = ([path, target]: [string, number]) => `
        location ${path}/ {
          if ($request_uri ~ "^${path}(/[^?]*)") { set $path $1; }
          proxy_pass http://127.0.0.1:${target}$path$is_args$args;
          proxy_http_version 1.1;
          proxy_set_header Connection "";
          proxy_set_header Host $http_host;
        }`;

const nginx: ProxyKind<Mounts> = {
  name: 'nginx',
  program: 'nginx',
  configuration: (port, mounts, folder) => {
    const locations = Object.entries(mounts).map(nginxLocation).join('');
    return nginxConfiguration(folder, 'warn', `server { listen 127.0.0.1:${port}; ${locations} }`);
  },
  words: (file, folder) => ['-c', file, '-p', folder],
};

const HAPROXY_DEFAULTS = `
defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s`;

const haproxy: ProxyKind<Mounts> = {
  name: 'HAProxy',
  program: 'haproxy',
  configuration: (port, mounts) => `${HAPROXY_DEFAULTS}
frontend milepost
  bind 127.0.0.1:${port}
${Object.keys(mounts)
  .map((path) => `  use_backend ${path.slice(1)} if { path_beg ${path}/ }`)
  .join('\n')}
${Object.entries(mounts)
  .map(
    ([path, target]) => `backend ${path.slice(1)}
  http-request replace-path ${path}(/.*) \\1
  server one 127.0.0.1:${target}
`,
  )
  .join('')}`,
  words: (file) => ['-db', '-f', file],
};

/** The path at which a balancer returns how many servers it considers ready. */
export const READY_SERVERS = '/ready-servers';

/**
 * Balancers that put several servers behind one port. HAProxy asks each server whether it is ready. After a connection
 * error, nginx sends the request to another server. For the next 10 s, it would send no requests to the failed server,
 * even if no other server were running; `max_fails=0` prevents this.
 */
const balancers: readonly ProxyKind<readonly number[]>[] = [
  {
    ...nginx,
    configuration: (port, servers, folder) =>
      nginxConfiguration(
        folder,
        'crit',
        `upstream milepost { ${servers.map((server) => `server 127.0.0.1:${server} max_fails=0;`).join(' ')} keepalive 16; }
      server {
        listen 127.0.0.1:${port};
        location = ${READY_SERVERS} { return 200 ${servers.length}; }
        location / { proxy_pass http://milepost; proxy_http_version 1.1; proxy_set_header Connection ""; }
      }`,
      ),
  },
  {
    ...haproxy,
    configuration: (port, servers) => `${HAPROXY_DEFAULTS}
  timeout check 5s
  option httpchk GET /readyz
  option redispatch
frontend milepost
  bind 127.0.0.1:${port}
  http-request return status 200 content-type text/plain lf-string "%[nbsrv(servers)]" if { path ${READY_SERVERS} }
  default_backend servers
backend servers
${servers.map((server, index) => `  server s${index} 127.0.0.1:${server} check inter 500ms fall 1 rise 1\n`).join('')}`,
  },
];

/** Starts a proxy. Its targets may depend on its origin. */
async function startProxy<Targets>(kind: ProxyKind<Targets>, targetsOf: (origin: string) => Promise<Targets>) {
  const [port = 0] = await freePorts(1);
  const origin = `http://127.0.0.1:${port}`;
  const targets = await targetsOf(origin);
  return await startInDirectory('proxy', async (folder) => {
    const file = join(folder, 'configuration');
    await writeFile(file, kind.configuration(port, targets, folder));
    const child = spawn(kind.program, kind.words(file, folder), { stdio: ['ignore', 'ignore', 'inherit'] });
    guardProcess(child);
    await until(`The start of ${kind.name}`, async () => {
      if (child.exitCode !== null) throw new Error(`${kind.name} exited with code ${child.exitCode}.`);
      return await fetch(origin, { signal: AbortSignal.timeout(5_000) }).then(
        () => true,
        () => false,
      );
    });
    const stop = async () => {
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    };
    return { origin, stop };
  });
}

/** Starts a proxy of the kind that the suite tests. */
type Open<Targets> = (targetsOf: (origin: string) => Promise<Targets>) => ReturnType<typeof startProxy>;

/** Declares a suite for each kind, in which `body` runs. The suite is skipped if the proxy is not installed. */
function forEachKind<Targets>(kinds: readonly ProxyKind<Targets>[], body: (open: Open<Targets>) => void): void {
  for (const kind of kinds) {
    const open: Open<Targets> = async (targetsOf) => await startProxy(kind, targetsOf);
    describe(`behind ${kind.name}`, needs(kind.program), () => body(open));
  }
}

/** Runs a body for each reverse proxy in the documentation. */
export function forEachProxy(body: (open: Open<Mounts>) => void): void {
  forEachKind([nginx, haproxy], body);
}

/** Runs a body for each balancer, whose targets are the ports of its servers. */
export function forEachBalancer(body: (open: Open<readonly number[]>) => void): void {
  forEachKind(balancers, body);
}
