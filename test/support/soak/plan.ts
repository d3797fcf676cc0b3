import { drawFrom } from '../draw.ts';

/** Each victim's share of the kills, as a percentage. */
const SHARES = { ingest: 22, projector: 20, ops: 20, move: 14, postgres: 10, kafka: 8, redis: 6 } as const;

export type Victim = keyof typeof SHARES;
export const VICTIMS: readonly Victim[] = ['ingest', 'projector', 'ops', 'move', 'postgres', 'kafka', 'redis'];

/** The maximum time between a victim's progress and its next fault. */
const MAX_DELAY_MILLISECONDS = 2_500;
const MAX_DOWN_MILLISECONDS = 1_500;
/**
 * One in this many faults suspends a process instead of killing it. `stuck-sessions.test.ts` covers a suspended
 * PostgreSQL.
 */
const SUSPENDED_OF = 4;

/** A fault that strikes one process. */
export type Kill = ReturnType<typeof drawKill>;

function drawKill(draw: (below: number) => number, victim: Victim) {
  const isSuspended = victim !== 'postgres' && victim !== 'redis' && draw(SUSPENDED_OF) === 0;
  return {
    signal: isSuspended ? ('SIGSTOP' as const) : ('SIGKILL' as const),
    /** Which of the two processes of its kind the fault strikes. */
    replica: draw(2) === 0 ? (0 as const) : (1 as const),
    /** The fault occurs this many milliseconds after the test has seen the victim advance. */
    delayMilliseconds: draw(MAX_DELAY_MILLISECONDS),
    /** How long a server stays down. */
    downMilliseconds: draw(MAX_DOWN_MILLISECONDS),
  };
}

/** Returns each victim's kills in order. The same seed gives the same kills. */
export function drawKills(seed: number, kills: number): ReadonlyMap<Victim, readonly Kill[]> {
  const draw = drawFrom(seed);
  const others = VICTIMS.filter((victim) => victim !== 'ingest');
  const counts = new Map<Victim, number>(others.map((victim) => [victim, Math.ceil((kills * SHARES[victim]) / 100)]));
  const rest = kills - counts.values().reduce((sum, count) => sum + count, 0);
  counts.set('ingest', Math.max(0, rest));
  return new Map(
    VICTIMS.map((victim) => [victim, Array.from({ length: counts.get(victim) ?? 0 }, () => drawKill(draw, victim))]),
  );
}
