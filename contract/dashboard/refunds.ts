import Type from 'typebox';
import { day, goesOn, nullable, sortedAndTotalled, timestamp, totalled, uuid } from '../fields.ts';
import { limits } from '../limits.ts';
import { refundStatuses, requestRefund } from '../merchant/refunds.ts';
import { operation } from '../operation.ts';
import { getSettings } from './settings.ts';

/** Of all payments. */
export const listMerchantRefunds = operation({
  id: 'listMerchantRefunds',
  route: 'GET /refunds',
  access: 'member',
  summary: 'List the refunds of the merchant.',
  rules: ['REFUND-2', 'DASHBOARD-43'],
  query: Type.Object({
    search: Type.Optional(
      Type.String({
        maxLength: limits.searchLength,
        description:
          'The order, customer or amount of the payment, each word from its beginning or from a part ' +
          'of it; or the amount of the refund.',
      }),
    ),
    status: Type.Optional(Type.Enum([...refundStatuses])),
    from: Type.Optional(day('requested on it or later.')),
    to: Type.Optional(day('requested on it or earlier.')),
    storeId: Type.Optional(uuid('Of payments of this store.')),
    ...sortedAndTotalled,
    ...goesOn('keyAndId'),
  }),
  reply: totalled({
    refundId: uuid(),
    paymentRequestId: uuid(),
    paymentIdempotencyId: Type.String(),
    orderId: Type.String(),
    storeName: nullable(Type.String()),
    payer: nullable(Type.String({ description: 'Who gets the money.' })),
    lastFour: nullable(Type.String({ description: 'Of the card.' })),
    amount: Type.Number(),
    status: Type.Enum([...refundStatuses]),
    waitsFor: nullable(Type.String({ description: 'BALANCE or REFUND_ACCOUNT_NEEDED.' })),
    why: nullable(Type.String({ description: 'Why it waits or failed.' })),
    method: Type.Enum(['PAY_BY_BANK', 'CARD']),
    notes: nullable(Type.String()),
    createdAt: timestamp('When it was asked for.'),
    bookedAt: nullable(timestamp('When it left: figures and statements count it on this day.')),
    updatedAt: timestamp(),
  }),
});

const requested = (requestRefund.body as NonNullable<typeof requestRefund.body>).properties;

const approvalStatuses = ['WAITING', 'REFUNDED', 'DECLINED', 'WITHDRAWN', 'REFUSED'] as const;

const approval = Type.Object({
  approvalId: uuid(),
  paymentRequestId: uuid(),
  paymentIdempotencyId: Type.String(),
  orderId: Type.String(),
  payer: nullable(Type.String({ description: 'Who gets the money.' })),
  amount: Type.Number(),
  notes: nullable(Type.String()),
  status: Type.Enum([...approvalStatuses], {
    description: 'REFUSED: it was approved, and the payment no longer allowed it.',
  }),
  proposedBy: Type.String({ description: 'The name of the person.' }),
  isOwn: Type.Boolean({ description: 'The caller proposed: another person decides.' }),
  decidedBy: nullable(Type.String()),
  reason: nullable(Type.String({ description: 'Why it was declined or refused.' })),
  refundId: nullable(uuid()),
  createdAt: timestamp(),
  updatedAt: timestamp(),
});

const named = Type.Object({ approvalId: uuid() });

/** Of a payment that could be refunded so; another person decides. */
export const proposeRefund = operation({
  id: 'proposeRefund',
  route: 'POST /refund-approvals',
  access: 'member',
  summary: 'Propose a refund to another person.',
  rules: ['REFUND-11'],
  idempotent: true,
  body: Type.Object({
    paymentRequestId: requested.paymentRequestId,
    paymentIdempotencyId: requested.paymentIdempotencyId,
    amount: requested.amount,
    refundNotes: requested.refundNotes,
  }),
  reply: approval,
  failsWith: ['environmentMismatch', 'notEnabled', 'invalidState', 'railNotConfigured', 'conflict'],
});

/** The newest first, with the amount above which members need a second person. */
export const listRefundApprovals = operation({
  id: 'listRefundApprovals',
  route: 'GET /refund-approvals',
  access: 'member',
  summary: 'List the refunds that wait for approval, or were decided about.',
  rules: ['REFUND-11'],
  query: Type.Object({
    status: Type.Optional(Type.Enum([...approvalStatuses])),
    paymentRequestId: Type.Optional(uuid()),
    ...goesOn('timeAndId'),
  }),
  reply: Type.Object({
    approvalAbove: nullable(Type.Number()),
    data: Type.Array(approval),
    nextBefore: nullable(Type.String()),
  }),
});

/** By another person than the one who proposed. Sent twice, it refunds once. */
export const approveRefund = operation({
  id: 'approveRefund',
  route: 'POST /refund-approvals/:approvalId/approve',
  access: 'member',
  summary: 'Approve a refund, which is then made.',
  rules: ['REFUND-11'],
  params: named,
  reply: approval,
  failsWith: ['invalidState', 'notEnabled', 'railNotConfigured'],
});

export const declineRefund = operation({
  id: 'declineRefund',
  route: 'POST /refund-approvals/:approvalId/decline',
  access: 'member',
  summary: 'Decline a refund that another person proposed.',
  rules: ['REFUND-11'],
  params: named,
  body: Type.Object({
    reason: Type.String({ pattern: '\\S', maxLength: limits.refundNotesLength }),
  }),
  reply: approval,
  failsWith: ['invalidState'],
});

export const withdrawRefund = operation({
  id: 'withdrawRefund',
  route: 'POST /refund-approvals/:approvalId/withdraw',
  access: 'member',
  summary: 'Withdraw a refund that one has proposed.',
  rules: ['REFUND-11'],
  params: named,
  reply: approval,
  failsWith: ['invalidState'],
});

/** Null: members refund without a second person. It binds members, not access secrets. */
export const setRefundApproval = operation({
  id: 'setRefundApproval',
  route: 'PUT /settings/refund-approval',
  access: 'member',
  summary: 'Say above which amount a refund needs a second person.',
  rules: ['REFUND-11'],
  body: Type.Object({
    refundApprovalAbove: getSettings.reply.properties.refundApprovalAbove,
  }),
  reply: getSettings.reply,
  failsWith: ['merchantSuspended'],
});
