import { runAudit, STALLED_AFTER_SECONDS, UnknownAuditError } from '@milepost/audit';
import { listAudits, showAudit, startAudit } from '@milepost/operations/audits';
import { type Pool, ROLES, unprepared } from '@milepost/postgres';
import { FIRST_LANE } from '@milepost/postgres/lanes';
import { PROJECTIONS } from '@milepost/projections';
import { wholeNumber } from '../arguments.ts';
import { auditText, outcomeSentence } from '../audit/text.ts';
import { waitForReport } from '../audit/wait.ts';
import type { Client } from '../client/client.ts';
import { withDirectory, withPool } from '../database.ts';
import { UsageError } from '../failure.ts';
import { recorded } from '../operator.ts';
import { printJson } from '../output.ts';
import { processSignal } from '../process.ts';
import { type Progress, withProgressBar } from '../progress.ts';
import type { CommonOptions, PresentationOf, Presentations } from './command.ts';
import { addLimit, printEntries } from './lists.ts';

const NOTES = `An audit recomputes the rows of each live read table from the event log alone, up to the table's checkpoint,
and reports the rows that differ. It also reports stopped projections, unequal checkpoints, positions missing from the log,
trips without a body, and sources whose counts do not add up. The report is stored. The exit code is 1 if there are faults.

The command runs the audit itself. With --server, a worker on the server audits all projections, and the command waits up
to an hour for the report. The report of a failed audit contains the cause.`;

const DEFAULT_LIMIT = 20;

interface AuditOptions extends CommonOptions {
  projection?: string;
  stalledAfter?: number;
  list?: true;
}

/** Runs the audit in this process, so that it does not need a worker. */
async function auditInProcess({
  projection: name,
  stalledAfter = STALLED_AFTER_SECONDS,
  lane = FIRST_LANE,
}: AuditOptions) {
  const projection = name ?? null;
  const attempt = { action: 'audit.start', parameters: { projection, stalled_after: stalledAfter }, lane };
  const run = async (onProgress: Progress['update']) => {
    const work = async (pool: Pool) => {
      // If the schema is older than this program, the command fails here, before the long work starts.
      await unprepared(pool, {}, 'SELECT FROM audit LIMIT 1');
      return await runAudit(pool, PROJECTIONS, { projection, stalledAfterSeconds: stalledAfter, onProgress });
    };
    const audit = async () => await withPool(ROLES.projector, work, lane);
    return await withDirectory((directory) => recorded(directory, attempt, audit, ({ id }) => `audit ${id}`));
  };
  return await withProgressBar('Auditing', ' steps', run).catch((error: unknown) => {
    throw error instanceof UnknownAuditError ? new UsageError(error.message) : error;
  });
}

/** Starts an audit on a server, and waits until a worker there has stored the report. */
async function auditOnServer(client: Client, { projection, stalledAfter }: AuditOptions) {
  if (projection !== undefined || stalledAfter !== undefined) {
    throw new UsageError(
      "--projection and --stalled-after cannot be combined with --server: the server's worker audits everything.",
    );
  }
  const signal = processSignal();
  const { id } = (await client.call(startAudit, {})).answer;
  const latest = async () => (await client.call(listAudits, { limit: 1, before: id + 1 })).answer.audits[0];
  await waitForReport(id, async () => (await latest())?.id === id, signal);
  return (await client.call(showAudit, { id })).answer;
}

function printAudit({ id, report }: { id: number; report: Parameters<typeof auditText>[0] }, json?: true): void {
  if (json) printJson({ id, ...report });
  else process.stdout.write(auditText(report));
}

/** How `milepost audit`, which compares the live read tables with the log, presents its results. */
export const presentations: Presentations = {
  'audit.start': {
    description: 'Recompute the live read tables from the event log, and report differing rows and other faults.',
    options: (command) =>
      addLimit(
        command
          .option('--projection <name>', 'audit only one read table, such as trips')
          .option(
            '--stalled-after <seconds>',
            `how long a stored event may wait before its projection counts as stalled (default: ${STALLED_AFTER_SECONDS})`,
            wholeNumber(1, 86_400 * 365),
          )
          .option('--list', 'the same as `milepost audit list`'),
        DEFAULT_LIMIT,
      ),
    json: '{id, projection, position, audited_at, seconds, equal, projections, faults}; with --list an array of summaries',
    notes: NOTES,
    examples: ['milepost audit', 'milepost audit --projection daily_rollups --json', 'milepost audit list'],
    async run({ client }, options) {
      if (options.list) return await printEntries(client, listAudits, {}, options);
      const audit = options.server === undefined ? await auditInProcess(options) : await auditOnServer(client, options);
      printAudit(audit, options.json);
      if (!audit.report.equal) throw new Error(outcomeSentence(audit.report));
    },
  } satisfies PresentationOf<typeof startAudit, AuditOptions>,
  'audit.list': {
    defaultLimit: DEFAULT_LIMIT,
    examples: ['milepost audit list --limit 5'],
  } satisfies PresentationOf<typeof listAudits>,
  'audit.show': {
    json: '{id, projection, position, audited_at, seconds, equal, projections, faults}',
    examples: ['milepost audit show 12'],
    run: async ({ call }, { json }) => printAudit((await call()).answer, json),
  } satisfies PresentationOf<typeof showAudit>,
};
