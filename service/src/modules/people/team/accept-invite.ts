import { failures, type ReplyOf } from '@florin/contract';
import type { readInvite } from '@florin/contract/dashboard/index.ts';
import { Failure } from '#kernel/failure.ts';
import type { Uses } from '#platform/tools.ts';
import { digestOf } from '../access/find-person.ts';
import { findInvite, takeInvite } from './store/invites.ts';

type InviteTools = Uses<'database' | 'clock'>;

/** Once, by the person to whose address it was made out. */
export const acceptInvite = async (
  { database, clock }: InviteTools,
  personId: string,
  token: string,
): Promise<{ readonly merchantId: string; readonly isProven: boolean }> => {
  const values = { tokenSha256: digestOf(token), now: clock.now(), personId };
  const [taken] = await database.system(takeInvite, values);
  if (!taken) throw noInvite();
  return { merchantId: taken.merchant_id, isProven: taken.is_mailed };
};

export const showInvite = async (
  { database, clock }: InviteTools,
  token: string,
): Promise<ReplyOf<typeof readInvite>> => {
  const values = { tokenSha256: digestOf(token), now: clock.now() };
  const [row] = await database.system(findInvite, values);
  if (!row) throw noInvite();
  const { business_name: businessName, email, role, is_known: isKnown } = row;
  return { businessName, email, role, isKnown };
};

const noInvite = (): Failure =>
  new Failure(failures.notFound, {
    message: 'This invite was accepted, withdrawn, has ended, or is for another address.',
  });
