import Type from 'typebox';
import { continued, goesOn, nullable, timestamp, uuid } from '../fields.ts';
import { getBankAuthorisation } from '../merchant/bank-feed.ts';
import { operation } from '../operation.ts';

const shown = getBankAuthorisation.reply.properties;

/** The newest first, those that have ended too. */
export const listBankLinks = operation({
  id: 'listBankLinks',
  route: 'GET /bank-links',
  access: 'member',
  summary: 'List the links to bank accounts.',
  rules: ['FEED-3'],
  query: Type.Object(goesOn('timeAndId')),
  reply: continued({
    accountAuthId: uuid(),
    status: shown.status,
    bankName: nullable(Type.String()),
    createdAt: timestamp(),
    linkedAt: nullable(timestamp()),
    reconfirmBy: nullable(timestamp('Reading stops then, unless it is confirmed before.')),
    endedAt: nullable(timestamp()),
    accounts: Type.Array(
      Type.Object({
        lastFour: nullable(Type.String({ description: 'Null: of a card account.' })),
        balance: nullable(Type.Number({ description: 'Pounds, as it was read last.' })),
        refreshedAt: nullable(timestamp('Null: not read yet.')),
      }),
      { description: 'Those that can be read now.' },
    ),
  }),
});
