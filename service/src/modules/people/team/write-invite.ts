import { limits } from '@florin/contract';
import type { Role } from '@florin/contract/dashboard/index.ts';
import type { Uses } from '#platform/tools.ts';
import { digestOf } from '../access/find-person.ts';
import { insertInvite } from './store/invites.ts';

const tokenBits = 200;

export type NewInvite = {
  readonly merchantId: string;
  readonly email: string;
  readonly role: Role;
  readonly inProduction: boolean;
};

export type Invite = {
  readonly inviteId: string;
  readonly path: string;
  readonly expiresAt: string;
};

/** Its link is shown this once: only the digest of the token is stored. */
export const writeInvite = async (
  { database, clock, ids }: Uses<'database' | 'clock' | 'ids'>,
  { merchantId, email, ...given }: NewInvite,
): Promise<Invite> => {
  const [inviteId, token] = [ids.uuid(), ids.token(tokenBits)];
  const expiresAt = new Date(clock.now().getTime() + limits.inviteMs);
  await database.tenant(merchantId, insertInvite, {
    ...{ ...given, merchantId, inviteId, expiresAt, email: email.toLowerCase() },
    tokenSha256: digestOf(token),
  });
  return { inviteId, path: `/dashboard/invites/${token}`, expiresAt: expiresAt.toISOString() };
};
