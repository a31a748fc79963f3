import { failures, limits, type ReplyOf } from '@florin/contract';
import type { Role, readInvite } from '@florin/contract/dashboard/index.ts';
import { Failure } from '#kernel/failure.ts';
import { findUnlessMoving } from '#platform/database/find-unless-moving.ts';
import type { Uses } from '#platform/tools.ts';
import { digestOf } from '../access/sessions.ts';
import { deriveLinkToken, type LinkMailTools } from '../mails/queue-link-mail.ts';
import { findInvite, insertInvite, renewInvite, takeInvite } from './store.ts';

type InviteTools = Uses<'database' | 'clock'>;

/** Once, by the person to whose address it was made out. */
export const acceptInvite = async (
  { database, clock }: InviteTools,
  personId: string,
  token: string,
): Promise<{ readonly merchantId: string; readonly isProven: boolean }> => {
  const values = { tokenSha256: digestOf(token), now: clock.now(), personId };
  const take = () => database.system(takeInvite, values);
  const [taken] = await findUnlessMoving(database, null, take, isFound);
  if (!taken) throw noInvite();
  return { merchantId: taken.merchant_id, isProven: taken.is_mailed };
};

export const showInvite = async (
  { database, clock }: InviteTools,
  token: string,
): Promise<ReplyOf<typeof readInvite>> => {
  const values = { tokenSha256: digestOf(token), now: clock.now() };
  const find = () => database.system(findInvite, values);
  const [row] = await findUnlessMoving(database, null, find, isFound);
  if (!row) throw noInvite();
  const { business_name: businessName, email, role, is_known: isKnown } = row;
  return { businessName, email, role, isKnown };
};

const isFound = (rows: readonly object[]): boolean => rows.length > 0;

const noInvite = (): Failure =>
  new Failure(failures.notFound, {
    message: 'This invite was accepted, withdrawn, has ended, or is for another address.',
  });

const tokenBits = 200;
const windowMs = 24 * 60 * 60 * 1000;

type NewInvite = {
  readonly merchantId: string;
  readonly email: string;
  readonly role: Role;
  readonly inProduction: boolean;
  /** The member who invites, and has it mailed. Null: it is not mailed. */
  readonly invitedBy: string | null;
};

type Invite = {
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
  return { row, path: `/dashboard/invites#${token}` };
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
