import Type from 'typebox';
import { nullable, timestamp, uuid } from '../fields.ts';
import { limits } from '../limits.ts';
import { getBankAuthorisation } from '../merchant/bank-feed.ts';
import { operation } from '../operation.ts';

const shown = getBankAuthorisation.reply.properties;

/** The newest first, those that have ended too. */
export const listBankLinks = operation({
  id: 'listBankLinks',
  method: 'GET',
  path: '/bank-links',
  access: 'member',
  summary: 'List the links to bank accounts.',
  rules: ['FEED-3'],
  query: Type.Object({
    before: Type.Optional(
      Type.String({
        pattern: '^\\d{13,16}\\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
        maxLength: 60,
        errorMessage: 'must be the nextBefore of a page',
      }),
    ),
    limit: Type.Integer({ minimum: 1, maximum: limits.pageSizeMax, default: 20 }),
  }),
  reply: Type.Object({
    data: Type.Array(
      Type.Object({
        accountAuthId: uuid(),
        status: shown.status,
        bankName: nullable(Type.String()),
        createdAt: timestamp(),
        linkedAt: nullable(timestamp()),
        reconfirmBy: nullable(timestamp('Reading stops then, unless it is confirmed before.')),
        endedAt: nullable(timestamp()),
      }),
    ),
    nextBefore: nullable(Type.String()),
  }),
  failsWith: ['badRequest'],
});
