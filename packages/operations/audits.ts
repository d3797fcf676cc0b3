import { AuditReport } from '@milepost/audit';
import { number, query, ROLES, statement } from '@milepost/postgres';
import Type from 'typebox';
import { HANDED_OVER, handOver } from './handover.ts';
import { operation } from './operation.ts';
import { Refusal } from './refusal.ts';
import { columnsOf, Id, nextBefore, nullable, pageInputs, pageOf, Time, which } from './schemas.ts';

const auditSummary = {
  id: Type.Integer(),
  at: Time,
  position: Type.Integer({ description: 'Where the log ended.' }),
  equal: Type.Boolean({ description: 'Nothing was found.' }),
  seconds: Type.Number({ description: 'How long it took.' }),
};

export const AuditResource = Type.Object({ ...auditSummary, report: AuditReport }, { $id: 'Audit' });

const USUAL = 50;

const ListedAudit = Type.Object(
  {
    ...auditSummary,
    projection: nullable(Type.String({ description: 'The only projection looked at; null: all.' })),
    faults: Type.Integer({ description: 'How many were found.' }),
  },
  { $id: 'ListedAudit' },
);

const LIST_AUDITS = statement('list-audits-in-short', columnsOf(ListedAudit))`
  SELECT audit_id AS id, at, position, equal, seconds, report ->> 'projection' AS projection,
    jsonb_array_length(report -> 'faults') AS faults
  FROM projection.audit WHERE audit_id < coalesce($1, 9223372036854775807) ORDER BY audit_id DESC LIMIT $2`;

export const listAudits = operation({
  name: 'audit.list',
  path: '/audits',
  summary: 'List audits',
  description: 'What was recounted when, and whether all was as it should be. Newest first.',
  input: Type.Object(pageInputs(1_000, USUAL)),
  answer: Type.Object({ audits: Type.Array(ListedAudit), next_before: nextBefore }),
  async run({ pool }, { limit = USUAL, before = null }) {
    const { entries, next_before } = await pageOf(limit, async (most) => {
      return await query(pool(ROLES.operator), LIST_AUDITS, [before, most]);
    });
    return { answer: { audits: entries, next_before } };
  },
});

const FIND_AUDIT = statement('find-audit', columnsOf(AuditResource))`
  SELECT audit_id AS id, at, position, equal, seconds, report FROM projection.audit WHERE audit_id = $1`;

export const showAudit = operation({
  name: 'audit.show',
  path: '/audits/:id',
  summary: 'Show an audit',
  description: 'The whole report: each read table against the log, and every fault with the stored events behind it.',
  input: Type.Object({ id: Id('The id that the list of audits shows.') }),
  answer: AuditResource,
  refusals: ['audit_not_found'],
  async run({ pool, mention }, { id }) {
    const [audit] = await query(pool(ROLES.operator), FIND_AUDIT, [id]);
    if (audit) return { answer: audit };
    throw new Refusal(
      'audit_not_found',
      `There is no audit ${which(id)}: ${mention.operation('audit.list')} lists them.`,
    );
  },
});

const NEXT_AUDIT_ID = statement('next-audit-id', { id: number })`
  SELECT nextval('projection.audit_audit_id_seq') AS id`;

export const startAudit = operation({
  name: 'audit.start',
  command: 'audit',
  path: '/audits',
  summary: 'Start an audit',
  description:
    'Has the live read tables recounted from the log now, as is done every AUDIT_INTERVAL_MINUTES anyway. `GET /audits/{id}` is 404 until the report is there. An audit that fails has a report too, which says why. While an audit that was asked for has not ended, the answer has the id of that one.',
  input: Type.Object({}),
  answer: Type.Object({
    id: Type.Integer({ description: 'Of the report, once it is there.' }),
    detail: Type.String({ description: 'Where to see what comes of it.' }),
  }),
  ...HANDED_OVER,
  async run({ enqueue, mention, pool }) {
    const [next] = await query(pool(ROLES.operator), NEXT_AUDIT_ID);
    const job = await handOver(enqueue, { kind: 'audit', id: next?.id ?? null });
    if (job.kind !== 'audit' || job.id === null) throw new Error('The queue took an audit without an id.');
    const show = mention.operation('audit.show', { id: job.id });
    return {
      answer: { id: job.id, detail: `${show} shows the report once it is there.` },
      location: `/audits/${job.id}`,
      detail: `audit ${job.id}`,
    };
  },
});

export const operations = [startAudit, listAudits, showAudit];
