import { inTransaction } from '@milepost/postgres';
import { expect, it } from 'vitest';
import { untilTestEnds } from '../../support/fixtures.ts';
import { openFold, projectionNamed } from '../../support/fold.ts';
import { driverProfile, tripProcessed } from '../../support/records.ts';
import { describeWithPostgres } from '../../support/service-suites.ts';

describeWithPostgres('the projection fleets', () => {
  it("contains each fleet's last position, in whatever order a replay runs its chunks", async () => {
    const fleets = projectionNamed('fleets');
    const fold = untilTestEnds(await openFold(fleets));
    const one = { fleet_id: 'one' };
    await fold.take(tripProcessed(one), driverProfile(), driverProfile(one), tripProcessed(), tripProcessed());
    const { owner, projector } = fold.pipeline;
    const read = async () => (await owner.query('SELECT fleet_id, position FROM fleets ORDER BY fleet_id')).rows;
    const expected = [
      { fleet_id: 'acme', position: 4 },
      { fleet_id: 'one', position: 3 },
    ];
    expect(await read()).toEqual(expected);
    await owner.query('DELETE FROM fleets_1');
    for (const after of [3, 2, 1, 0]) {
      const range = { after, through: after + 1 };
      await inTransaction(projector, async (transaction) => await fleets.apply(transaction, range, 'fleets_1'));
    }
    expect(await read()).toEqual(expected);
  });
});
