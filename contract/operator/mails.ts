import Type from 'typebox';
import { nullable, pageNumber, pageSize, timestamp, uuid } from '../fields.ts';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';

const source = Type.Enum(['RECEIPT', 'MERCHANT', 'PERSON', 'CASE'], {
  description: 'To a payer, to a business, to a person who signs in, to the operator.',
});
const mailId = Type.String({ maxLength: limits.mailIdLength });

/** Mails of every kind whose last try failed, the newest first; never what they say, nor a link of theirs. */
export const listFailedMails = operation({
  id: 'listFailedMails',
  route: 'GET /api/operator/failed-mails',
  access: 'operator',
  summary: 'List the mails that failed, with why.',
  rules: ['DASHBOARD-23'],
  query: Type.Object({ page: pageNumber, size: pageSize(limits.operatorPageSize) }),
  reply: Type.Object({
    page: Type.Integer(),
    size: Type.Integer(),
    hasMailServer: Type.Boolean({ description: 'False: every mail waits until there is one.' }),
    data: Type.Array(
      Type.Object({
        source,
        mailId,
        kind: Type.String({ description: 'What it is about.' }),
        to: Type.String({ description: 'First letter and domain of the address.' }),
        merchantId: nullable(uuid()),
        businessName: nullable(Type.String()),
        environment: nullable(Type.String()),
        state: Type.Enum(['RETRYING', 'GIVEN_UP', 'ENDED'], {
          description: 'GIVEN_UP: after its last try. ENDED: what it says holds no more.',
        }),
        title: Type.String({ description: 'Why the last try failed.' }),
        advice: Type.String(),
        attempts: Type.Integer(),
        createdAt: timestamp(),
        nextAt: nullable(timestamp('Null: as soon as a worker is free, or never again.')),
        canSend: Type.Boolean({ description: 'It can be tried sooner than it would be.' }),
      }),
    ),
    totalCount: Type.Integer({ description: `At most ${limits.stuckReadMax} of each kind.` }),
  }),
});

/** Tried now, under its message id; one that was given up once more. Sent twice it changes nothing more. */
export const sendMailAgain = operation({
  id: 'sendMailAgain',
  route: 'POST /api/operator/failed-mails/:source/:mailId/send',
  access: 'operator',
  summary: 'Send a mail that failed again.',
  rules: ['DASHBOARD-23'],
  params: Type.Object({ source, mailId }),
  reply: Type.Object({ source, mailId }),
  failsWith: ['notFound'],
});
