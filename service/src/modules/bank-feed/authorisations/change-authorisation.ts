import { failures } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import type { Uses } from '#platform/tools.ts';
import {
  type Authorisation,
  type AuthorisationTrigger,
  authorisationLifecycle,
} from './authorisation.ts';
import { findAuthorisation } from './get-authorisation.ts';
import { commitAuthorisation } from './store/commit-authorisation.ts';

const maxTries = 10;

/** What a transition changes beside the state. */
export type Change = {
  readonly trigger: AuthorisationTrigger;
  readonly set?: Partial<
    Pick<
      Authorisation,
      | 'institutionId'
      | 'bankName'
      | 'oauthState'
      | 'starts'
      | 'consentReference'
      | 'endedReason'
      | 'linkExpiresAt'
      | 'reconfirmBy'
      | 'dueAt'
      | 'linkedAt'
    >
  >;
  readonly railStateEncrypted?: Buffer;
  readonly accessEndsAt?: Date;
  readonly leaseMs?: number;
  readonly accounts?: readonly LinkedAccount[];
};

/** An account as the table holds it. */
export type LinkedAccount = {
  readonly account_id: string;
  readonly institution_id: string;
  readonly bank_name: string;
  readonly sort_code: string | null;
  readonly account_number: string | null;
  readonly currency: string;
  /** The bank's id under this consent. */
  readonly reference: string;
  readonly position: number;
};

export type Changed = {
  readonly authorisation: Authorisation;
  /** False: nothing was to be changed. */
  readonly isChanged: boolean;
};

/**
 * One read, one decision, one guarded statement. After a lost race it decides again on the new state.
 * `decide` answers null when there is nothing to write.
 */
export const changeAuthorisation = async (
  tools: Uses<'database'>,
  tenant: Tenant,
  authorisationId: string,
  decide: (authorisation: Authorisation) => Change | null,
): Promise<Changed> => {
  for (let round = 0; round < maxTries; round += 1) {
    const authorisation = await findAuthorisation(tools, tenant, authorisationId);
    if (!authorisation) throw new Failure(failures.notFound);
    const change = decide(authorisation);
    const next = change && authorisationLifecycle.next(authorisation.status, change.trigger);
    if (!change || !next) return { authorisation, isChanged: false };
    const changed = { ...authorisation, ...change.set, status: next };
    if (await commit(tools, authorisation, changed, change)) {
      const version = authorisation.version + 1;
      return { authorisation: { ...changed, version }, isChanged: true };
    }
  }
  throw new Failure(failures.unavailable, {
    message: 'The authorisation keeps changing. Read it, then retry.',
    retryAfterSeconds: 1,
  });
};

const commit = async (
  { database }: Uses<'database'>,
  before: Authorisation,
  after: Authorisation,
  change: Change,
): Promise<boolean> => {
  const isEnded = authorisationLifecycle.isFinal(after.status);
  const rows = await database.tenant(before.tenant.merchantId, commitAuthorisation, {
    ...before.tenant,
    authorisationId: before.authorisationId,
    version: before.version,
    fromStatus: before.status,
    toStatus: after.status,
    trigger: change.trigger,
    detail: change.set?.endedReason ?? null,
    now: before.now,
    change: JSON.stringify(columnsOf(after, isEnded)),
    railStateEncrypted: change.railStateEncrypted ?? null,
    leaseMs: change.leaseMs ?? null,
    isToBeRead: after.status === 'LINKED' && before.status !== 'LINKED',
    accessEndsAt: change.accessEndsAt ?? null,
    isEnded,
    accounts: JSON.stringify(change.accounts ?? []),
  });
  return rows.length === 1;
};

const columnsOf = (after: Authorisation, isEnded: boolean) => ({
  institution_id: after.institutionId,
  bank_name: after.bankName,
  oauth_state: after.oauthState,
  starts: after.starts,
  consent_reference: after.consentReference,
  ended_reason: after.endedReason,
  link_expires_at: after.linkExpiresAt,
  reconfirm_by: after.reconfirmBy,
  due_business_at: isEnded ? null : after.dueAt,
  linked_at: after.linkedAt,
  ended_at: isEnded ? after.now : null,
});
