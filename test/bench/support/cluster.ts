import { type CitusCluster, startCitus } from '../../support/services/containers/citus.ts';
import { peerOrNone } from '../peers/java-peer.ts';

/** The lane that a benchmark measures on the node that owns it. Lane 0 stays on the coordinator. */
export const OWNED_LANE = 1;

/** The same settings as on the benchmark's server. */
const DURABLE = { max_wal_size: '2GB', jit: 'off', timezone: 'UTC' };

/** Starts a cluster that is as durable as the benchmark's server. Returns null if it cannot be started. */
export async function clusterOrNone(): Promise<(CitusCluster & AsyncDisposable) | null> {
  const cluster = await peerOrNone(startCitus(DURABLE));
  return cluster && Object.assign(cluster, { [Symbol.asyncDispose]: cluster.stop });
}
