import Type from 'typebox';
import { nullable, timestamp } from '../fields.ts';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';

/**
 * Receipts that payers requested on the hosted page, and links that members mailed. Without a mail
 * server they are stored and shown here. The address is deleted when the mail is handed over, the
 * mail itself after 30 days.
 */
export const listReceiptMails = operation({
  id: 'listReceiptMails',
  route: 'GET /api/payments/receipt-mails',
  access: 'secret',
  summary: 'List the receipts and payment links that are mailed, the newest first.',
  rules: ['REQUEST-15'],
  query: Type.Object({
    limit: Type.Integer({ minimum: 1, maximum: limits.pageSizeMax, default: 20 }),
  }),
  reply: Type.Array(
    Type.Object({
      paymentRequestId: Type.String({ format: 'uuid' }),
      to: nullable(Type.String({ description: 'Null once it was sent; shortened in production.' })),
      subject: Type.String(),
      text: Type.String(),
      html: Type.String(),
      createdAt: timestamp(),
      sentAt: nullable(timestamp()),
      lastError: nullable(Type.String()),
    }),
  ),
});
