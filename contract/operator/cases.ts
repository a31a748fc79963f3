import Type from 'typebox';
import { nullable, paged, pageNumber, pageSize, timestamp, uuid } from '../fields.ts';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';
import { tenantParams } from './merchants.ts';

const text = (description: string) =>
  Type.String({
    pattern: '\\S',
    maxLength: limits.operatorTextLength,
    errorMessage: `must have 1 to ${limits.operatorTextLength} characters`,
    description,
  });

export const caseStatuses = ['OPEN', 'RESOLVED'] as const;

const caseFields = {
  caseId: uuid(),
  merchantId: nullable(uuid('Null: it is about the whole installation.')),
  environment: nullable(Type.String()),
  kind: Type.String(),
  subject: Type.String({ description: 'What it is about, such as the id of an attempt.' }),
  description: Type.String(),
  evidence: Type.Record(Type.String(), Type.Unknown()),
  status: Type.Enum(caseStatuses),
  openedAt: timestamp(),
  resolvedAt: nullable(timestamp()),
  resolution: nullable(Type.String()),
};

/** What only a person can settle, the newest first. */
export const listOperatorCases = operation({
  id: 'listOperatorCases',
  route: 'GET /api/operator/cases',
  access: 'operator',
  summary: 'List the operator cases.',
  rules: ['OPERATE-4'],
  query: Type.Object({
    status: Type.Optional(Type.Enum(caseStatuses)),
    search: Type.Optional(
      Type.String({
        pattern: '\\S',
        maxLength: limits.searchLength,
        errorMessage: `must have 1 to ${limits.searchLength} characters`,
        description: 'A whole order id, payment request id or subject, or part of a business name.',
      }),
    ),
    page: pageNumber,
    size: pageSize(limits.operatorPageSize),
  }),
  reply: paged(
    Type.Object({
      ...caseFields,
      businessName: nullable(Type.String({ description: 'Null: it is of no one merchant.' })),
    }),
  ),
});

export const getOperatorCase = operation({
  id: 'getOperatorCase',
  route: 'GET /api/operator/cases/:caseId',
  access: 'operator',
  summary: 'Show an operator case with its history.',
  rules: ['OPERATE-4'],
  params: Type.Object({ caseId: uuid() }),
  reply: Type.Object({
    ...caseFields,
    history: Type.Array(
      Type.Object({
        fromStatus: Type.String(),
        toStatus: Type.String(),
        actor: Type.String(),
        detail: Type.String(),
        occurredAt: timestamp(),
      }),
    ),
  }),
  failsWith: ['notFound'],
});

/** Once. What became of it stands in its history. */
export const resolveOperatorCase = operation({
  id: 'resolveOperatorCase',
  route: 'POST /api/operator/cases/:caseId/resolve',
  access: 'operator',
  summary: 'Resolve an operator case.',
  rules: ['OPERATE-4'],
  params: Type.Object({ caseId: uuid() }),
  body: Type.Object({ resolution: text('What became of it.') }),
  reply: Type.Object(caseFields),
  failsWith: ['notFound', 'conflict'],
});

/**
 * What the operator found out about an attempt whose outcome its bank or card processor leaves open.
 * It moves the attempt as their own report would, with the evidence in the history.
 */
export const recordPaymentOutcome = operation({
  id: 'recordPaymentOutcome',
  route:
    'POST /api/operator/merchants/:merchantId/:environment/payments/:paymentRequestId/:attemptId/outcome',
  access: 'operator',
  summary: 'Record the outcome of a payment that stayed open or blocked.',
  rules: ['OPERATE-4', 'MONEY-21'],
  params: Type.Object({
    ...tenantParams.properties,
    paymentRequestId: uuid(),
    attemptId: uuid(),
  }),
  body: Type.Object({
    outcome: Type.Enum(['COMPLETED', 'FAILED']),
    evidence: text('How you know: a statement, a letter of the bank, the processor’s dashboard.'),
  }),
  reply: Type.Object({
    paymentRequestId: uuid(),
    attemptId: uuid(),
    status: Type.String({ description: 'Of the payment request.' }),
    attemptStatus: Type.String(),
  }),
  failsWith: ['notFound', 'invalidState'],
});

/**
 * The nightly verification, now: sums of transactions, accounts and snapshots, MONEY-11 to MONEY-16
 * and the rules of conservation.
 */
export const verifyLedger = operation({
  id: 'verifyLedger',
  route: 'POST /api/operator/books/verify',
  access: 'operator',
  summary: 'Verify that the books balance.',
  rules: ['OPERATE-4'],
  reply: Type.Object({
    isBalanced: Type.Boolean(),
    unbalancedTransactions: Type.Array(Type.String()),
    snapshotDifferences: Type.Array(Type.String()),
    brokenInvariants: Type.Array(
      Type.Object({
        rule: Type.String({ description: 'The invariant, by its id in the rules about money.' }),
        subjects: Type.Array(Type.String()),
      }),
    ),
    totals: Type.Array(
      Type.Object({
        environment: Type.String(),
        account: Type.String(),
        balancePence: Type.String(),
      }),
    ),
    bankBalances: Type.Array(
      Type.Object({
        environment: Type.String(),
        balancePence: Type.String({
          description:
            'The booked balance of the collecting account, as its bank reported it last.',
        }),
        reportedAt: timestamp(),
        differencePence: nullable(
          Type.String({
            description: 'What the bank has more than our books; null: not compared.',
          }),
        ),
        reconciledAt: nullable(timestamp()),
        reconciledPence: nullable(
          Type.String({ description: 'The balance with which the books agreed last.' }),
        ),
      }),
    ),
  }),
});
