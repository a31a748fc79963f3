import { limits } from '@florin/contract';
import type { Environment, Tenant } from '#kernel/environment.ts';
import type { Uses } from '#platform/tools.ts';
import type { ConsentEnded } from '#rails/bank-data-rail.ts';
import { isReadable } from '../authorisations/authorisation.ts';
import { changeAuthorisation } from '../authorisations/change-authorisation.ts';
import {
  type BankDataRails,
  type DataRail,
  decryptRailState,
} from '../authorisations/data-rails.ts';
import { lapseAt } from '../authorisations/end-authorisations.ts';
import { findAuthorisation } from '../authorisations/get-authorisation.ts';
import { openSession, type Session, type Stopped } from './open-session.ts';
import { type Round, refreshAccount } from './refresh-account.ts';
import { matchPayouts } from './store/match-payouts.ts';
import {
  type Claim,
  type ClaimedRefresh,
  claimRefresh,
  finishRefresh,
  readReading,
  refreshSoon,
} from './store/refreshes.ts';
import { listAccountsToRead, noteRefused } from './store/store-transactions.ts';

const firstPauseMs = 60_000;

/** After so many failures before this one: a minute, then twice as long each time. */
export const nextRefreshInMs = (failures: number): number =>
  Math.min(firstPauseMs * 2 ** Math.min(failures, 20), limits.bankRefreshMs);

/** Reads an authorisation in this process, unless a worker is reading it already. */
export const refreshNow = async (
  tools: RefreshTools,
  tenant: Tenant,
  authorisationId: string,
): Promise<void> => {
  const values = { ...tenant, authorisationId, leaseMs: refreshLeaseMs };
  const [claimed] = await tools.database.tenant(tenant.merchantId, claimRefresh, values);
  if (claimed) await refreshAuthorisation(tools, claimed);
};

/** A bank says that something of a consent has changed: its accounts are read soon (BANK-22). */
export const hurryRefresh = async (
  { database }: Uses<'database'>,
  named: {
    readonly environment: Environment;
    readonly institutionId: string;
    readonly reference: string;
  },
): Promise<void> => {
  await database.system(refreshSoon, named);
};

export type RefreshTools = Uses<'database' | 'secrets' | 'log' | 'clock'> & {
  readonly bankDataRails: BankDataRails;
};

/** Reads every account of a claimed authorisation. False: the bank did not answer everything. */
export const refreshAuthorisation = async (
  tools: RefreshTools,
  claimed: ClaimedRefresh,
): Promise<boolean> => {
  const claim: Claim = {
    merchantId: claimed.merchant_id,
    environment: claimed.environment,
    authorisationId: claimed.authorisation_id,
    claim: claimed.claim,
  };
  const { database } = tools;
  const tenant = { merchantId: claim.merchantId, environment: claim.environment };
  const authorisation = await findAuthorisation(tools, tenant, claim.authorisationId);
  const [reading] = await database.tenant(tenant.merchantId, readReading, claim);
  if (!authorisation || !reading || !isReadable(authorisation)) return true;
  const rail = tools.bankDataRails.find(tenant.environment, authorisation.institutionId ?? '');
  const state = decryptRailState(tools.secrets, authorisation);
  const startedAt = tools.clock.now();
  const stopped =
    rail && state
      ? await readAll(tools, openSession(tools, rail, claim, state, reading.access_ends_at), {
          claim,
          now: authorisation.now,
          isRetry: reading.refresh_failures > 0,
        })
      : notReached;
  if (stopped?.kind === 'CONSENT_ENDED') {
    await endOf(tools, claim, stopped);
    return true;
  }
  // Before the end of the claim: if it is killed here, the next worker does both.
  await database.tenant(tenant.merchantId, matchPayouts, {
    ...tenant,
    authorisationId: claim.authorisationId,
    startedAt,
  });
  await database.tenant(tenant.merchantId, finishRefresh, {
    ...claim,
    nextInMs: nextInMs(tools, rail, reading.refresh_failures, stopped),
    isFailed: stopped !== null,
    wasDueAt: reading.due_at,
  });
  return stopped === null;
};

const notReached: Stopped = { kind: 'UNKNOWN', description: 'The bank cannot be reached.' };

type Read = Round & { readonly claim: Claim };

const readAll = async (
  tools: RefreshTools,
  session: Session,
  { claim, ...round }: Read,
): Promise<Stopped | null> => {
  const { merchantId } = claim;
  const accounts = await tools.database.tenant(merchantId, listAccountsToRead, claim);
  for (const account of accounts) {
    const stopped = await refreshAccount(tools, session, claim, account, round);
    if (stopped?.kind === 'REFUSED') {
      const { account_id: accountId } = account;
      tools.log.warn({ accountId, code: stopped.code }, 'a bank refuses to show an account');
      await tools.database.tenant(merchantId, noteRefused, { ...claim, accountId });
    } else if (stopped) return stopped;
  }
  return null;
};

const nextInMs = (
  { clock, log }: RefreshTools,
  rail: DataRail | null,
  failures: number,
  stopped: Stopped | null,
): number | null => {
  if (stopped === null) return rail?.isStatic ? null : limits.bankRefreshMs;
  if (stopped.kind === 'RATE_LIMITED')
    return Math.max(stopped.retryAfter.getTime() - clock.now().getTime(), 0);
  log.warn({ answer: stopped.kind, failures }, 'accounts will be read again later');
  return nextRefreshInMs(failures);
};

const triggers = {
  REVOKED: 'revokedAtBank',
  EXPIRED: 'consentExpired',
  REAUTHENTICATION_NEEDED: 'loginDemanded',
} as const satisfies Record<ConsentEnded['reason'], string>;

/** Reading stops with a clear state (FEED-3). */
const endOf = (tools: RefreshTools, claim: Claim, { reason }: ConsentEnded) =>
  changeAuthorisation(tools, claim, claim.authorisationId, ({ status, now }) =>
    status === 'LINKED'
      ? {
          trigger: triggers[reason],
          set: { endedReason: `BANK_${reason}`, dueAt: lapseAt(now) },
        }
      : null,
  );

export const refreshLeaseMs = 60_000;
