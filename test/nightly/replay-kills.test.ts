import { describe, expect, it } from 'vitest';
import { openCampaign } from '../support/faults/campaign.ts';
import { drawRounds, FAULT_PHASES, FULL_CAMPAIGN } from '../support/faults/plan.ts';
import { perSuite } from '../support/fixtures.ts';
import { needs } from '../support/programs.ts';

/** `REPLAY_KILLS=200` runs the whole campaign. `REPLAY_KILLS_SEED` repeats a failed campaign. */
const ROUNDS = Number(process.env['REPLAY_KILLS'] ?? 20);
const SEED = Number(process.env['REPLAY_KILLS_SEED'] ?? Math.floor(Math.random() * 1e9));

describe('a replay whose worker, PostgreSQL or Redis is killed', needs('ps', 'redis-server'), () => {
  const campaign = perSuite(openCampaign);

  it(
    `ends with the rows of an undisturbed replay, ${ROUNDS} times from seed ${SEED}`,
    async () => {
      await campaign.run({ projection: 'all', end: 'promoted', appendedTrips: 0, hasRedis: true, faults: [] });
      for (const [index, round] of drawRounds(SEED, ROUNDS).entries()) {
        const title = `Round ${index + 1} of REPLAY_KILLS=${ROUNDS} REPLAY_KILLS_SEED=${SEED}: ${JSON.stringify(round)}`;
        try {
          await campaign.run(round);
        } catch (cause) {
          throw new Error(`${title}\n${cause instanceof Error ? cause.message : cause}\n${campaign.output()}`, {
            cause,
          });
        }
        if (process.env['REPLAY_KILLS'] !== undefined) process.stderr.write(`${new Date().toISOString()} ${title}\n`);
      }
      process.stderr.write(`Faults: ${JSON.stringify(campaign.faultCounts)}\n`);
      const phases = Object.keys(campaign.faultCounts).map((key) => key.split(' ').at(-1));
      if (ROUNDS >= FULL_CAMPAIGN) expect(phases).toEqual(expect.arrayContaining([...FAULT_PHASES]));
    },
    60_000 + ROUNDS * 60_000,
  );
});
