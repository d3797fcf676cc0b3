import { setImmediate as nextTurn } from 'node:timers/promises';
import { inSnapshot, inTransaction, laneAt, StatementSkippedError, statement } from '@milepost/postgres';
import { copyBinary, copyText } from '@milepost/postgres/copy-rows';
import fc from 'fast-check';
import { beforeEach, expect, it } from 'vitest';
import { createTestDatabase } from '../support/database.ts';
import { startForwardingPostgres } from '../support/faults/postgres-proxy.ts';
import { perSuite, untilTestEnds } from '../support/fixtures.ts';
import { openPartPool } from '../support/pipeline.ts';
import { describeWithPostgres } from '../support/service-suites.ts';
import { valuesOf } from '../support/tables.ts';
import { startProxyTo } from '../support/tcp-proxy.ts';

const INSERT = statement('test-insert-copied')`INSERT INTO copied (key) VALUES ($1)`;

describeWithPostgres('a transaction', () => {
  const database = perSuite(createTestDatabase);
  const open = (url: string, limits: Parameters<typeof openPartPool>[3] = {}) =>
    openPartPool(laneAt(url), undefined, 1, limits);

  /** Opens a pool through a proxy that forwards the server's bytes, and the client's bytes as `forward` decides. */
  const openThrough = async (forward: Parameters<typeof startForwardingPostgres>[1]) =>
    untilTestEnds(open(untilTestEnds(await startForwardingPostgres(database.url, forward)).url));

  const pool = perSuite(async () => {
    const opened = open(database.url);
    await opened.query(
      'CREATE TABLE copied (key bigint PRIMARY KEY, label text, amount numeric, ratio float8, flag boolean, bytes bytea)',
    );
    return opened;
  });

  beforeEach(async () => {
    await pool.query('TRUNCATE copied');
  });

  const keys = async () => await valuesOf<number>(pool, 'SELECT key FROM copied ORDER BY key');

  it('returns its connection to the pool if its BEGIN fails', async () => {
    let isCut = false;
    const proxied = await openThrough((chunk, upstream, client) => {
      if (isCut || !chunk.includes('BEGIN')) return upstream.write(chunk);
      isCut = true;
      return client.destroy();
    });
    await expect(inTransaction(proxied, async () => 'done')).rejects.toThrow('Connection terminated unexpectedly');
    expect(await inTransaction(proxied, async () => 'done')).toBe('done');
  });

  it('copies values unchanged, whatever characters a string contains', async () => {
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
          const plain = ['key', 'label', 'amount', 'ratio', 'flag'] as const;
          const columns = [
            ...plain.map((name) => (each: (typeof rows)[number]) => each[name]),
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

  it('copies bytes in the binary format, and distinguishes null from empty values', async () => {
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

  it('copies all rows or none, reports the refused row, and keeps the connection usable', async () => {
    const twice = copyBinary([1, 2, 2].map((key) => ({ key, values: [null] })));
    await expect(
      inTransaction(pool, (transaction) => transaction.copy('copied (key, bytes)', twice)),
    ).rejects.toMatchObject({ code: '23505', detail: 'Key (key)=(2) already exists.' });
    expect(await keys()).toEqual([]);
  });

  it('never sends the statements that follow a failed statement', async () => {
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

  it('sends no statements of work that has already failed for a different reason', async () => {
    const late: Promise<unknown>[] = [];
    await expect(
      inTransaction(pool, async (transaction) => {
        for (const key of [1, 2]) late.push(transaction.execute(INSERT, [key]).catch((error: unknown) => error));
        throw new Error('the work failed');
      }),
    ).rejects.toThrow('the work failed');
    expect(await Promise.all(late)).toEqual([1, expect.any(StatementSkippedError)]);
    expect(await keys()).toEqual([]);
  });

  it('fails only after its rollback has released its locks', async () => {
    const held = Promise.withResolvers<() => void>();
    const proxied = await openThrough((chunk, upstream) => {
      const forward = () => void upstream.write(chunk);
      if (chunk.includes('ROLLBACK')) held.resolve(forward);
      else forward();
    });
    let isSettled = false;
    const failed = inTransaction(proxied, async () => await Promise.reject(new Error('planned'))).finally(() => {
      isSettled = true;
    });
    failed.catch(() => {});
    const rollBack = await held.promise;
    for (let turn = 0; turn < 100; turn += 1) await nextTurn();
    expect(isSettled).toBe(false);
    rollBack();
    await expect(failed).rejects.toThrow('planned');
  });

  it('closes its connection if a rollback gets no response, so that no later statement runs inside it', async () => {
    const proxy = untilTestEnds(await startProxyTo(database.url));
    const hanging = untilTestEnds(open(proxy.url, { statementTimeoutMilliseconds: 2_000, silenceMilliseconds: 0 }));
    const failed = inTransaction(hanging, async (transaction) => {
      await transaction.execute(INSERT, [1]);
      proxy.freeze();
      await transaction.execute(INSERT, [2]);
    });
    await expect(failed).rejects.toThrow('read timeout');
    proxy.thaw();
    await hanging.query('INSERT INTO copied (key) VALUES (3)');
    expect(await keys()).toEqual([3]);
  });

  it('continues after a savepoint was rolled back, keeps a savepoint that succeeds, and returns its result', async () => {
    await inTransaction(pool, async (transaction) => {
      await transaction.execute(INSERT, [1]);
      await expect(
        transaction.inSavepoint(async () => {
          await transaction.execute(INSERT, [2]);
          await transaction.execute(INSERT, [1]);
        }),
      ).rejects.toMatchObject({ code: '23505' });
      await transaction.execute(INSERT, [3]);
      expect(await transaction.inSavepoint(async () => await transaction.execute(INSERT, [4]))).toBe(1);
    });
    expect(await keys()).toEqual([1, 3, 4]);
  });

  it('runs each statement of a text, whatever its comments and strings contain', async () => {
    await inTransaction(pool, async (transaction) => {
      await transaction.runEach(`
        INSERT INTO copied (key, label) VALUES (1, 'a;b'); -- The keys; that's all.
        INSERT INTO copied (key, label) VALUES (2, 'c;');
        DO $$ BEGIN DELETE FROM copied WHERE label = 'a;b'; END $$;
        \n`);
    });
    expect(await keys()).toEqual([2]);
  });

  it("refuses a statement's rows if their columns differ from those declared, and names each difference", async () => {
    const select = async (sql: string) =>
      await inTransaction(
        pool,
        async (transaction) => await transaction.unprepared({ one: 'number', two: 'number' }, sql),
      );
    await expect(select('SELECT 1 AS one, 2 AS two')).resolves.toEqual([{ one: 1, two: 2 }]);
    await expect(select('SELECT 1 AS one')).rejects.toThrow('differ from its declaration: two is missing.');
    await expect(select("SELECT 1 AS one, 'x' AS two, 3 AS three")).rejects.toThrow(
      'differ from its declaration: two is of type 25, three is not declared.',
    );
  });

  it('that commits with its last statement is committed once, and accepts no more statements', async () => {
    const notices: (string | undefined)[] = [];
    const client = await pool.connect();
    client.on('notice', ({ message }) => notices.push(message));
    client.release();
    await inTransaction(pool, async (transaction) => {
      await transaction.runAndCommit('INSERT INTO copied (key) VALUES (1)');
      await expect(transaction.execute(INSERT, [2])).rejects.toThrow(StatementSkippedError);
    });
    expect(await keys()).toEqual([1]);
    // PostgreSQL warns about a COMMIT outside a transaction.
    expect(notices).toEqual([]);
  });

  it('is rolled back if the statement that is sent with its COMMIT fails', async () => {
    const failed = inTransaction(pool, async (transaction) => {
      await transaction.execute(INSERT, [1]);
      await transaction.runAndCommit('INSERT INTO copied (key) VALUES (1)');
    });
    await expect(failed).rejects.toThrow('duplicate key');
    expect(await keys()).toEqual([]);
  });

  it('on a snapshot sees only what had been committed before its first statement, and cannot write', async () => {
    const other = untilTestEnds(open(database.url));
    const seen = await inSnapshot(pool, async (transaction) => {
      const count = async () =>
        await transaction.unprepared({ count: 'number' }, 'SELECT count(*) AS count FROM copied');
      const before = await count();
      await other.query('INSERT INTO copied (key) VALUES (1)');
      return [before, await count()];
    });
    expect(seen).toEqual([[{ count: 0 }], [{ count: 0 }]]);
    const written = inSnapshot(pool, async (transaction) => await transaction.execute(INSERT, [2]));
    await expect(written).rejects.toThrow('read-only transaction');
  });
});
