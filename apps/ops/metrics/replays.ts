import type { Pool } from '@milepost/postgres';
import { PROJECTIONS } from '@milepost/projections';
import { listOpenReplays, type ReplayView } from '@milepost/replay';
import { Gauge, type Registry } from 'prom-client';

const FIGURES: readonly { name: string; help: string; of: (view: ReplayView) => number | null }[] = [
  { name: 'position', help: 'How far a replay has come, as a position of the log.', of: (view) => view.position },
  { name: 'target', help: 'The position to which a replay goes.', of: (view) => view.target },
  { name: 'trips_per_second', help: 'Missing while nothing is measured.', of: (view) => view.trips_per_second },
  { name: 'remaining_seconds', help: 'Missing while nothing is measured.', of: (view) => view.remaining_seconds },
];

/** How the replays fare that are not at their end. The names are those of `GET /replays`. */
export async function replayMetrics(registry: Registry, pool: Pool): Promise<void> {
  const views = await listOpenReplays(pool, PROJECTIONS);
  const registers = [registry];
  for (const { name, help, of } of FIGURES) {
    const gauge = new Gauge({ name: `milepost_replay_${name}`, help, labelNames: ['replay', 'projection'], registers });
    for (const view of views) {
      const value = of(view);
      if (value !== null) gauge.set({ replay: view.id, projection: view.projection }, value);
    }
  }
  const phase = new Gauge({
    name: 'milepost_replay_phase',
    help: '1 for the phase in which a replay is.',
    labelNames: ['replay', 'projection', 'phase'],
    registers,
  });
  for (const { id, projection, phase: current } of views) phase.set({ replay: id, projection, phase: current }, 1);
  const halted = new Gauge({
    name: 'milepost_replays_halted',
    help: 'Replays that stand still until somebody resumes them.',
    labelNames: ['reason'],
    registers,
  });
  for (const reason of ['paused', 'failed']) {
    halted.set({ reason }, views.filter((view) => view.halted === reason).length);
  }
}
