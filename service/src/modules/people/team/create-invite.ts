import { failures, limits } from '@florin/contract';
import type { Role } from '@florin/contract/dashboard/index.ts';
import { Failure } from '#kernel/failure.ts';
import { digestOf } from '../access/find-person.ts';
import { deriveLinkToken } from '../mails/derive-link-token.ts';
import type { LinkMailTools } from '../mails/queue-link-mail.ts';
import { insertInvite, renewInvite } from './store/invites.ts';

const tokenBits = 200;
const windowMs = 24 * 60 * 60 * 1000;

export type NewInvite = {
  readonly merchantId: string;
  readonly email: string;
  readonly role: Role;
  readonly inProduction: boolean;
  /** The member who invites, and has it mailed. Null: it is not mailed. */
  readonly invitedBy: string | null;
};

export type Invite = {
  readonly inviteId: string;
  readonly path: string;
  readonly expiresAt: string;
  readonly isMailed: boolean;
};

/** Its link is shown this once: only digests of the tokens are stored. */
export const createInvite = async (
  tools: LinkMailTools,
  { email, role, inProduction, ...given }: NewInvite,
): Promise<Invite> => {
  const { row, path } = draft(tools, { ...given, inviteId: tools.ids.uuid() });
  const values = { ...row, role, inProduction, email: email.toLowerCase() };
  const [written] = await tools.database.system(insertInvite, values);
  if (!written) throw tooMany();
  return shown(row, path, written.is_mailed);
};

type Sent = Pick<NewInvite, 'merchantId' | 'invitedBy'> & { readonly inviteId: string };

/** Another link, and another mail. Those before no longer work. */
export const sendInviteAgain = async (tools: LinkMailTools, sent: Sent): Promise<Invite> => {
  const { row, path } = draft(tools, sent);
  const [written] = await tools.database.system(renewInvite, row);
  if (!written)
    throw new Failure(failures.notFound, {
      message: 'No open invite has this id, or a day allows no more mails.',
    });
  return shown(row, path, written.is_mailed);
};

const draft = (tools: LinkMailTools, { merchantId, inviteId, invitedBy }: Sent) => {
  const { ids, clock } = tools;
  const [token, mailId, now] = [ids.token(tokenBits), ids.uuid(), clock.now()];
  const row = {
    ...{ merchantId, inviteId, invitedBy, now, kind: 'INVITE' as const },
    mailId: invitedBy === null ? null : mailId,
    tokenSha256: digestOf(token),
    mailedTokenSha256: digestOf(deriveLinkToken(tools, mailId)),
    expiresAt: new Date(now.getTime() + limits.inviteMs),
    windowEndsAt: new Date(now.getTime() + windowMs),
  };
  return { row, path: `/dashboard/invites/${token}` };
};

const shown = (
  { inviteId, expiresAt }: { readonly inviteId: string; readonly expiresAt: Date },
  path: string,
  isMailed: boolean,
): Invite => ({ inviteId, path, expiresAt: expiresAt.toISOString(), isMailed });

const tooMany = (): Failure =>
  new Failure(failures.rateLimited, {
    message: 'This business has made as many invites as a day allows.',
    retryAfterSeconds: windowMs / 1000,
  });
