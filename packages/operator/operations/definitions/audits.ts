import { query, ROLES, statement } from '@milepost/postgres';
import Type from 'typebox';
import { requestAudit } from '../jobs.ts';
import { operation } from '../language/operation.ts';
import { Refusal } from '../language/refusal.ts';
import { columnsOf, Id, Moment, Named, pagesOf, Text, WholeNumber } from '../language/schemas.ts';
import { AuditReport } from './audit-schemas.ts';

const { position, equal, seconds, projection } = AuditReport.properties;

const auditSummary = {
  id: WholeNumber('The id of the audit.', 12),
  at: Moment('The time of the audit.'),
  position,
  equal,
  seconds,
};

export const AuditResource = Named('Audit', { ...auditSummary, report: AuditReport });

const PAGES = pagesOf(1_000, 50);

const ListedAudit = Named('ListedAudit', {
  ...auditSummary,
  projection,
  faults: WholeNumber('The number of faults.', 0),
});

const LIST_AUDITS = statement('list-audits-in-short', columnsOf(ListedAudit))`
  SELECT audit_id AS id, at, position, equal, seconds, report ->> 'projection' AS projection,
    jsonb_array_length(report -> 'faults') AS faults
  FROM audit WHERE audit_id < coalesce($1, 9223372036854775807) ORDER BY audit_id DESC LIMIT $2`;

export const listAudits = operation({
  name: 'audit.list',
  path: '/audits',
  summary: 'List audits',
  description: 'The audits, newest first, and whether they found faults.',
  input: Type.Object(PAGES.inputs),
  answer: Type.Object({
    audits: Type.Array(ListedAudit, { description: 'The audits, newest first.' }),
    next_before: PAGES.next_before,
  }),
  async run({ pool }, page) {
    const { entries, next_before } = await PAGES.read(page, async (limit, before) => {
      return await query(pool(ROLES.operator), LIST_AUDITS, [before, limit]);
    });
    return { answer: { audits: entries, next_before } };
  },
});

const FIND_AUDIT = statement('find-audit', columnsOf(AuditResource))`
  SELECT audit_id AS id, at, position, equal, seconds, report FROM audit WHERE audit_id = $1`;

export const showAudit = operation({
  name: 'audit.show',
  path: '/audits/:id',
  summary: 'Show an audit',
  description:
    'The full report: each read table compared with the log, and every fault with the stored events that caused it.',
  input: Type.Object({ id: Id('An id from the list of audits.') }),
  answer: AuditResource,
  refusals: ['audit_not_found'],
  async run({ pool }, { id }) {
    const [audit] = await query(pool(ROLES.operator), FIND_AUDIT, [id]);
    if (audit) return { answer: audit };
    throw new Refusal({ code: 'audit_not_found', id });
  },
});

export const startAudit = operation({
  name: 'audit.start',
  command: 'audit',
  path: '/audits',
  summary: 'Start an audit',
  description:
    'Recomputes the rows of the live read tables from the log and compares them with the stored rows. Audits also start on a schedule, every AUDIT_INTERVAL_MINUTES minutes. `GET /audits/{id}` returns 404 until the report exists. If an audit fails, its report gives the cause. While a requested audit is running, another request does not start a second one, and its response contains the id of the running audit.',
  input: Type.Object({}),
  answer: Type.Object({
    id: WholeNumber('The id that the report will have.', 12),
    detail: Text(
      'A sentence that says where to find the result.',
      'The report of audit 12 will be available once a worker has finished the audit.',
    ),
  }),
  statuses: [[202, 'A worker will soon start the audit, unless an earlier request is still open.']],
  change: 'recorded',
  async run({ announce, pool, lane }) {
    const id = await requestAudit(pool(ROLES.operator));
    announce({ kind: 'audit', lane });
    return {
      answer: { id, detail: `The report of audit ${id} will be available once a worker has finished the audit.` },
      location: `/audits/${id}`,
      detail: `audit ${id}`,
    };
  },
});

export const operations = [startAudit, listAudits, showAudit];
