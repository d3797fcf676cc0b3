import { runAudit, UnknownAuditError } from '@milepost/audit';
import { listAudits, showAudit, startAudit } from '@milepost/operations/audits';
import { ROLES, unprepared } from '@milepost/postgres';
import { PROJECTIONS } from '@milepost/projections';
import type { Command } from 'commander';
import { wholeNumber } from '../arguments.ts';
import { auditText, outcomeSentence } from '../audit/text.ts';
import { untilReported } from '../audit/wait.ts';
import { withPool } from '../database.ts';
import { UsageError } from '../failure.ts';
import { recordedCommand } from '../operator.ts';
import { printJson } from '../output.ts';
import { processSignal } from '../process.ts';
import { type Progress, withProgressBar } from '../progress.ts';
import type { Client } from './client.ts';
import { addOperation } from './command.ts';
import { type LimitOption, limited, printEntries } from './lists.ts';

const NOTES = `Recounted from the event log alone are the rows that each live read table should have at its checkpoint, day by day. The
audit also finds projections that stand still, checkpoints that are apart, positions missing from the log, trips without
body and sources whose counts do not add up. What it finds is kept. Exit code 1 when anything is found.

The command audits by itself. With --server the worker there does it, of all projections, and the command waits for the report, for an hour at most. A failed audit has
a report too: it says why.`;

interface AuditOptions extends LimitOption {
  projection?: string;
  stalledAfter?: number;
  list?: true;
}

/** Audits in this process, so that it needs no worker. */
async function auditHere({ projection: name, stalledAfter = 60 }: AuditOptions) {
  const projection = name ?? null;
  const parameters = { projection, stalled_after: stalledAfter };
  const run = async (onProgress: Progress['update']) =>
    await withPool(ROLES.operator, async (operator) => {
      const audit = async () =>
        await withPool(ROLES.projector, async (pool) => {
          // Fails where the schema is older than this program, before anything has taken long.
          await unprepared(pool, {}, 'SELECT FROM projection.audit LIMIT 1');
          return await runAudit(pool, PROJECTIONS, { projection, stalledAfterSeconds: stalledAfter, onProgress });
        });
      return await recordedCommand(operator, 'audit.start', parameters, audit, ({ id }) => `audit ${id}`);
    });
  return await withProgressBar('Auditing', ' steps', run).catch((error: unknown) => {
    throw error instanceof UnknownAuditError ? new UsageError(error.message) : error;
  });
}

async function isKept(client: Client, id: number): Promise<boolean> {
  const { audits } = (await client.call(listAudits, { limit: 1, before: id + 1 })).answer;
  return audits[0]?.id === id;
}

/** Has the worker of a server audit, and waits for the report. */
async function auditThere(client: Client, { projection, stalledAfter }: AuditOptions) {
  if (projection !== undefined || stalledAfter !== undefined) {
    throw new UsageError(
      '--projection and --stalled-after do not go with --server: the worker there audits everything.',
    );
  }
  const signal = processSignal();
  const { id } = (await client.call(startAudit, {})).answer;
  const isThere = async () => await isKept(client, id);
  await untilReported(id, isThere, (sentence) => process.stderr.write(`${sentence}\n`), signal);
  return (await client.call(showAudit, { id })).answer;
}

function printAudit({ id, report }: { id: number; report: Parameters<typeof auditText>[0] }, json?: true): void {
  if (json) printJson({ id, ...report });
  else process.stdout.write(auditText(report));
}

/** `milepost audit`: whether the live read tables say what the log says. */
export function present(program: Command): void {
  const list = limited(20);
  addOperation(program, startAudit, {
    description:
      'Recount the live read tables from the event log, and name what is missing, doubled or standing still.',
    options: (command) =>
      list.options(
        command
          // What stands behind `list` or `show` is theirs.
          .enablePositionalOptions()
          .option('--projection <name>', 'look at one read table only, such as trips')
          .option(
            '--stalled-after <seconds>',
            'how long a stored event may wait before its projection is taken to stand still (default: 60)',
            wholeNumber(1, 86_400 * 365),
          )
          .option('--list', 'audit nothing: the same as `milepost audit list`'),
      ),
    json: '{id, projection, position, audited_at, seconds, equal, projections, faults}; with --list an array in short',
    notes: NOTES,
    examples: ['milepost audit', 'milepost audit --projection daily_rollups --json', 'milepost audit list'],
    async run({ client }, options: AuditOptions) {
      if (options.list) return await printEntries(client, listAudits, {}, options);
      const audit = options.server === undefined ? await auditHere(options) : await auditThere(client, options);
      printAudit(audit, options.json);
      if (!audit.report.equal) throw new Error(outcomeSentence(audit.report));
    },
  });
  addOperation(program, listAudits, {
    ...list,
    json: 'an array in short',
    examples: ['milepost audit list --limit 5'],
    run: async ({ client, input }, options: LimitOption) => await printEntries(client, listAudits, input, options),
  });
  addOperation(program, showAudit, {
    json: '{id, projection, position, audited_at, seconds, equal, projections, faults}',
    examples: ['milepost audit show 12'],
    run: async ({ call }, { json }) => printAudit((await call()).answer, json),
  });
}
