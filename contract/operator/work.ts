import Type from 'typebox';
import { nullable, pageNumber, pageSize, timestamp, uuid } from '../fields.ts';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';
import { tenantParams } from './merchants.ts';

export const workKinds = [
  'EXPIRE',
  'ABANDON',
  'ALERT',
  'POLL_BANK',
  'POLL_CARD',
  'CAPTURE',
  'ANSWER_DISPUTE',
  'HAND_OVER_REFUND',
  'POLL_REFUND',
  'FILL_PAYOUT',
  'CLOSE_PAYOUT',
  'SUBMIT_TRANSFERS',
  'READ_BANK_MESSAGES',
  'MATCH_CREDIT',
  'REVERSE_CREDIT',
  'END_LINK',
  'REFRESH_ACCOUNTS',
  'REMOVE_BANK_DATA',
  'DELIVER_WEBHOOKS',
  'DETACH_CARD',
  'ERASE_CUSTOMER',
  'ERASE_OLD_PAYMENT',
  'TAKE_SNAPSHOT',
  'ADD_UP_MONEY',
  'FOLD_COUNTS',
  'MAIL_NOTICE',
  'MAIL_FAILING_ENDPOINT',
  'MAIL_STATEMENT',
  'RUN_JOB',
] as const;

export type WorkKind = (typeof workKinds)[number];

const kind = Type.Enum(workKinds, { description: 'What a job has to do.' });

/** Timed work that is overdue or has failed many times; the longest stuck comes first. */
export const listStuckWork = operation({
  id: 'listStuckWork',
  route: 'GET /api/operator/stuck-work',
  access: 'operator',
  summary: 'List the work of jobs that is stuck, with why.',
  rules: ['DASHBOARD-22'],
  query: Type.Object({
    kind: Type.Optional(kind),
    page: pageNumber,
    size: pageSize(limits.operatorPageSize),
  }),
  reply: Type.Object({
    page: Type.Integer(),
    size: Type.Integer(),
    data: Type.Array(
      Type.Object({
        kind,
        title: Type.String(),
        advice: Type.String({ description: 'What it means and what to do.' }),
        workId: Type.String({
          description: 'Of the payment, attempt, refund, batch, link or job.',
        }),
        merchantId: nullable(uuid('Null: it is about the whole installation.')),
        businessName: nullable(Type.String()),
        environment: nullable(Type.String({ description: 'Null: it is about both.' })),
        paymentRequestId: nullable(uuid()),
        since: timestamp('When it was first to be done.'),
        attempts: Type.Integer({ description: 'Failures, or tries; 0 where none are counted.' }),
        lastFailure: nullable(Type.String({ description: 'As the job had it. Null: not known.' })),
        nextAt: nullable(timestamp('When it is tried next. Null: as soon as a worker is free.')),
        isRunning: Type.Boolean({ description: 'A worker has it at this moment.' }),
        canHurry: Type.Boolean({ description: 'Its pause can be ended.' }),
      }),
    ),
    kinds: Type.Array(Type.Object({ kind, title: Type.String(), count: Type.Integer() }), {
      description: `Of all kinds; at most ${limits.stuckReadMax} of each are counted.`,
    }),
    totalCount: Type.Integer(),
  }),
});

/** What can be hurried and is of no merchant. */
export const sharedWorkKinds = ['MATCH_CREDIT', 'REVERSE_CREDIT', 'RUN_JOB'] as const;
export type SharedWorkKind = (typeof sharedWorkKinds)[number];

/** The same of what belongs to no merchant. A job that fails as a whole runs once more. */
export const hurrySharedWork = operation({
  id: 'hurrySharedWork',
  route: 'POST /api/operator/stuck-work/hurry',
  access: 'operator',
  summary: 'Try stuck work of no merchant now.',
  rules: ['DASHBOARD-22'],
  body: Type.Object({
    kind: Type.Enum(sharedWorkKinds, { description: 'What a job has to do.' }),
    workId: Type.String({ minLength: 1, maxLength: limits.sharedWorkIdLength }),
  }),
  reply: Type.Object({ kind, workId: Type.String() }),
  failsWith: ['notFound'],
});

/**
 * Ends the pause before the next try. Nothing else: the job then does what it would have done later, and
 * looks first what became of the last try. Sent twice it changes nothing more.
 */
export const hurryWork = operation({
  id: 'hurryWork',
  route: 'POST /api/operator/merchants/:merchantId/:environment/stuck-work/:kind/:workId/hurry',
  access: 'operator',
  summary: 'Try stuck work now instead of after its pause.',
  rules: ['DASHBOARD-22'],
  params: Type.Object({
    ...tenantParams.properties,
    kind,
    workId: Type.String({ maxLength: limits.referenceLength }),
  }),
  reply: Type.Object({ kind, workId: Type.String() }),
  failsWith: ['notFound'],
});
