import type { AuditReport } from '@milepost/audit';
import type { Command } from 'commander';
import { examples, wholeNumber } from '../arguments.ts';
import { UsageError } from '../failure.ts';
import { printJson } from '../output/json.ts';

const NOTES = `
Recounted from the event log alone are the rows that each live read table should have at its checkpoint, day by day. The
audit also finds projections that stand still, checkpoints that are apart, positions missing from the log, trips without
body and sources whose counts do not add up. What it finds is kept. Exit code 1 when anything is found.`;

interface Options {
  json?: true;
  projection?: string;
  list?: true;
  limit: number;
  stalledAfter: number;
}

async function run({ projection, stalledAfter }: Options): Promise<{ id: number; report: AuditReport }> {
  const [{ withAuditPool }, { runAudit, UnknownAuditError }, { AUDITS }, { startProgress }] = await Promise.all([
    import('../audit/pool.ts'),
    import('@milepost/audit'),
    import('@milepost/projections/audits'),
    import('../output/progress.ts'),
  ]);
  const progress = startProgress('Auditing', ' steps');
  try {
    return await withAuditPool((pool) =>
      runAudit(pool, AUDITS, {
        projection: projection ?? null,
        stalledAfterSeconds: stalledAfter,
        onProgress: progress.update,
      }),
    );
  } catch (error) {
    throw error instanceof UnknownAuditError ? new UsageError(error.message) : error;
  } finally {
    progress.stop();
  }
}

async function list({ limit, json }: Options): Promise<void> {
  const [{ ROLES }, { withPool }, { findAudits }, { printTable }] = await Promise.all([
    import('@milepost/postgres'),
    import('../database.ts'),
    import('@milepost/operations/audits'),
    import('../output/table.ts'),
  ]);
  const audits = await withPool(ROLES.operator, (pool) => findAudits(pool, { limit }));
  if (json) return printJson(audits);
  if (audits.length === 0) process.stderr.write('No audits.\n');
  printTable(
    ['id', 'at', 'log position', 'projection', 'seconds', 'faults'],
    audits.map(({ id, at, position, projection, seconds, faults }) => [
      id,
      at.toISOString(),
      position,
      projection ?? 'all',
      Math.round(seconds * 10) / 10,
      faults,
    ]),
  );
  if (audits.length === limit) process.stderr.write(`There may be more than ${limit}: see --limit.\n`);
}

/** `milepost audit`: whether the live read tables say what the log says. */
export function addAudit(program: Command): void {
  program
    .command('audit')
    .description(
      'Recount the live read tables from the event log, and name what is missing, doubled or standing still.',
    )
    .option('--projection <name>', 'look at one read table only, such as trips')
    .option(
      '--stalled-after <seconds>',
      'how long a stored event may wait before its projection is taken to stand still',
      wholeNumber(1, 86_400 * 365),
      60,
    )
    .option('--list', 'audit nothing: list the audits that are kept, newest first')
    .option('--limit <number>', 'with --list: at most so many', wholeNumber(1, 10_000), 20)
    .option(
      '--json',
      'print {id, projection, position, audited_at, seconds, equal, projections, faults}; with --list an array in short',
    )
    .addHelpText('after', NOTES)
    .addHelpText(
      'after',
      examples('milepost audit', 'milepost audit --projection daily_rollups --json', 'milepost audit --list'),
    )
    .action(async (options: Options) => {
      if (options.list) return await list(options);
      const { id, report } = await run(options);
      const { auditPage, faultCount } = await import('../audit/page.ts');
      if (options.json) printJson({ id, ...report });
      else process.stdout.write(auditPage(report));
      if (report.equal) return;
      throw new Error(`The audit found ${faultCount(report.faults)}.`);
    });
}
