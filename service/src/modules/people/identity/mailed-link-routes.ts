import { failures } from '@florin/contract';
import {
  requestNewPassword,
  sendVerification,
  setNewPassword,
  verifyEmail,
} from '@florin/contract/dashboard/index.ts';
import { Failure } from '#kernel/failure.ts';
import { type NoteActor, openRoute, personRoute, type Route } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import { hashPassword } from '../access/hash-password.ts';
import { refuseCommonPassword } from '../access/refuse-common-password.ts';
import { digestOf } from '../access/sessions.ts';
import { findPersonByEmail } from '../access/store/people.ts';
import { type LinkMailTools, type LinkPurpose, queueLinkMail } from '../mails/queue-link-mail.ts';
import { findLink, takeNewPassword, takeVerification } from '../mails/store/links.ts';
import type { LimitAttempts } from './sign-in-routes.ts';

type MailedLinkTools = LinkMailTools &
  Uses<'config' | 'log'> & { readonly limitAttempts: LimitAttempts };

/** What a link that was mailed to a person does (PEOPLE-11 and 12). */
export const mailedLinkRoutes = (tools: MailedLinkTools): readonly Route[] => [
  personRoute(sendVerification, async (_, { email, emailVerified }) => {
    if (!emailVerified && !(await queueLinkMail(tools, 'VERIFY_EMAIL', email)))
      throw new Failure(failures.rateLimited, {
        message: 'This address got as many mails as an hour allows. Look for them there.',
        retryAfterSeconds,
      });
    return {};
  }),
  openRoute(verifyEmail, async ({ body, address, noteActor }) => {
    tools.limitAttempts({ address });
    const values = { tokenSha256: digestOf(body.token), now: tools.clock.now() };
    await noteOwner(tools, { ...values, kind: 'VERIFY_EMAIL' }, noteActor);
    const [verified] = await tools.database.system(takeVerification, values);
    if (!verified) throw noLink();
    return verified;
  }),
  openRoute(requestNewPassword, async ({ body, address, noteActor }) => {
    tools.limitAttempts({ address, account: body.email });
    const values = { email: body.email.toLowerCase() };
    const [person] = await tools.database.system(findPersonByEmail, values);
    if (!person) return {};
    await noteActor(person.person_id);
    await queueLinkMail(tools, 'NEW_PASSWORD', body.email);
    return {};
  }),
  openRoute(setNewPassword, async ({ body, address, noteActor }) => {
    tools.limitAttempts({ address });
    await refuseCommonPassword(tools, 'password', body.password, { names: [] });
    const values = { tokenSha256: digestOf(body.token), now: tools.clock.now() };
    await noteOwner(tools, { ...values, kind: 'NEW_PASSWORD' }, noteActor);
    const [changed] = await tools.database.system(takeNewPassword, {
      ...values,
      passwordHash: await hashPassword(body.password),
      credentialId: tools.ids.uuid(),
    });
    if (!changed) throw noLink();
    return changed;
  }),
];

/** Whose link it is, before it is used. */
const noteOwner = async (
  { database }: MailedLinkTools,
  link: { readonly tokenSha256: Buffer; readonly now: Date; readonly kind: LinkPurpose },
  noteActor: NoteActor,
): Promise<void> => {
  const [owner] = await database.system(findLink, link);
  if (owner) await noteActor(owner.person_id);
};

const retryAfterSeconds = 60 * 60;

const noLink = (): Failure =>
  new Failure(failures.notFound, {
    message: 'This link was used or has ended. Have another one sent.',
  });
