import {
  copyBinary,
  copyText,
  createPool,
  inTransaction,
  type Pool,
  StatementSkippedError,
  statement,
} from '@milepost/postgres';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { describeWithPostgres } from '../support/service-suites.ts';

const INSERT = statement('insert-copied')`INSERT INTO copied (key) VALUES ($1)`;

describeWithPostgres('a transaction', () => {
  let database: TestDatabase;
  let pool: Pool;

  beforeAll(async () => {
    database = await createTestDatabase();
    pool = createPool({
      url: database.url,
      applicationName: 'transaction-test',
      connections: 1,
      statementTimeoutMilliseconds: 30_000,
    });
    await pool.query(
      'CREATE TABLE copied (key bigint PRIMARY KEY, label text, amount numeric, ratio float8, flag boolean, bytes bytea)',
    );
  });

  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  beforeEach(async () => {
    await pool.query('TRUNCATE copied');
  });

  const keys = async () =>
    (await pool.query<{ key: number }>('SELECT key FROM copied ORDER BY key')).rows.map(({ key }) => key);

  it('copies any values as they are, whatever characters a text holds', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }).filter((value) => value.isWellFormed() && !value.includes('\0')),
      fc.constantFrom('\\N', '\\', '\t', 'a\tb\\nc\r\n', '\\x00', '\\.', '', 'null', '"quoted"'),
    );
    const row = fc.record({
      label: fc.option(text),
      amount: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true, min: 0 })),
      ratio: fc.option(fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constant(-0))),
      flag: fc.option(fc.boolean()),
      bytes: fc.option(fc.uint8Array({ maxLength: 40 })),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 30 }), async (values) => {
        await pool.query('TRUNCATE copied');
        const rows = values.map((value, index) => ({ key: index + 1, ...value }));
        await inTransaction(pool, async (transaction) => {
          const columns = [
            (each: (typeof rows)[number]) => each.key,
            (each: (typeof rows)[number]) => each.label,
            (each: (typeof rows)[number]) => each.amount,
            (each: (typeof rows)[number]) => each.ratio,
            (each: (typeof rows)[number]) => each.flag,
            (each: (typeof rows)[number]) => each.bytes && `\\x${Buffer.from(each.bytes).toString('hex')}`,
          ];
          await transaction.copy('copied (key, label, amount, ratio, flag, bytes)', copyText(rows, columns));
        });
        const stored = await pool.query('SELECT key, label, amount, ratio, flag, bytes FROM copied ORDER BY key');
        expect(stored.rows).toEqual(rows.map((each) => ({ ...each, bytes: each.bytes && Buffer.from(each.bytes) })));
      }),
      { numRuns: 60 },
    );
  });

  it('copies bytes in the binary format, none and empty ones told apart', async () => {
    const rows = [
      { key: 1, values: [Buffer.from([0, 255, 10, 92])] },
      { key: 2 ** 40, values: [null] },
      { key: 3, values: [new Uint8Array()] },
    ];
    await inTransaction(pool, (transaction) => transaction.copy('copied (key, bytes)', copyBinary(rows)));
    const stored = await pool.query('SELECT key, bytes FROM copied ORDER BY key');
    expect(stored.rows).toEqual([
      { key: 1, bytes: Buffer.from([0, 255, 10, 92]) },
      { key: 3, bytes: Buffer.alloc(0) },
      { key: 2 ** 40, bytes: null },
    ]);
  });

  it('copies all rows or none, says which was refused, and leaves the connection fit for use', async () => {
    const twice = copyBinary([1, 2, 2].map((key) => ({ key, values: [null] })));
    await expect(
      inTransaction(pool, (transaction) => transaction.copy('copied (key, bytes)', twice)),
    ).rejects.toMatchObject({ code: '23505', detail: 'Key (key)=(2) already exists.' });
    expect(await keys()).toEqual([]);
  });

  it('never sends what was asked for behind a statement that fails', async () => {
    const outcomes: PromiseSettledResult<number>[] = [];
    await expect(
      inTransaction(pool, async (transaction) => {
        const works = [1, 1, 2].map((key) => transaction.execute(INSERT, [key]));
        outcomes.push(...(await Promise.allSettled(works)));
        throw new Error('rolled back');
      }),
    ).rejects.toThrow('rolled back');
    expect(outcomes).toMatchObject([
      { status: 'fulfilled', value: 1 },
      { status: 'rejected', reason: { code: '23505' } },
      { status: 'rejected', reason: expect.any(StatementSkippedError) },
    ]);
    expect(await keys()).toEqual([]);
  });

  it('goes on behind work that was undone', async () => {
    await inTransaction(pool, async (transaction) => {
      await transaction.execute(INSERT, [1]);
      await expect(
        transaction.undoable(async () => {
          await transaction.execute(INSERT, [2]);
          await transaction.execute(INSERT, [1]);
        }),
      ).rejects.toMatchObject({ code: '23505' });
      await transaction.execute(INSERT, [3]);
    });
    expect(await keys()).toEqual([1, 3]);
  });
});
