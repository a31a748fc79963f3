import { failures, limits } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import { findPublicId, missingPublicId } from '#modules/merchants/index.ts';
import type { Uses } from '#platform/tools.ts';
import type { AuthorisationStatus } from '../authorisations/authorisation.ts';
import type { BankDataRails } from '../authorisations/data-rails.ts';
import { type AccountAccess, readAccountAccess, requestRefresh } from './store/refreshes.ts';

export type ReadTools = Uses<'database' | 'clock'> & { readonly bankDataRails: BankDataRails };

const waitStepMs = 50;

/** The account, if its customer lets it be read now; else the reason why not (FEED-3). */
export const requireAccountAccess = async (
  tools: Uses<'database'>,
  tenant: Tenant,
  accountId: string,
): Promise<AccountAccess> => {
  const values = { ...tenant, accountId };
  const [access] = await tools.database.tenant(tenant.merchantId, readAccountAccess, values);
  if (access?.is_readable) return access;
  if (access) throw authorisationRequired(access.status);
  const known = await findPublicId(tools, accountId, 'BANK_ACCOUNT');
  const { merchantId, environment } = tenant;
  // Its data was deleted with its last authorisation.
  if (known?.tenant.merchantId === merchantId && known.tenant.environment === environment)
    throw authorisationRequired('REVOKED');
  const message = 'There is no bank account with this id.';
  throw await missingPublicId(tools, tenant, message, accountId, 'BANK_ACCOUNT');
};

/** The same after the bank was read, as often as banks allow. */
export const requireFreshAccount = async (
  tools: ReadTools,
  tenant: Tenant,
  accountId: string,
): Promise<AccountAccess> => {
  let access = await requireAccountAccess(tools, tenant, accountId);
  if (!isStale(tools, tenant, access)) return shown(access);
  const values = { ...tenant, authorisationId: access.authorisation_id };
  await tools.database.tenant(tenant.merchantId, requestRefresh, values);
  const before = triedAtMs(access);
  const deadline = tools.clock.now().getTime() + limits.bankRefreshWaitMs;
  while (isWaitedFor(access, before) && tools.clock.now().getTime() < deadline) {
    await tools.clock.sleep(waitStepMs);
    access = await requireAccountAccess(tools, tenant, accountId);
  }
  return shown(access);
};

const shown = (access: AccountAccess): AccountAccess => {
  if (access.refreshed_at !== null) return access;
  if (access.refused_at !== null)
    throw new Failure(failures.bankAuthorisationRequired, {
      message:
        'The bank refuses to show this account: initiate a new authorisation, or ask the customer ' +
        'to choose it again.',
    });
  throw new Failure(failures.unavailable, {
    message: 'The bank has not shown this account yet. Retry after the time in Retry-After.',
    retryAfterSeconds: 2,
  });
};

const isStale = (
  { bankDataRails }: ReadTools,
  { environment }: Tenant,
  access: AccountAccess,
): boolean => {
  const { institution_id: bank, real_now: now } = access;
  const triedAt = triedAtMs(access);
  if (triedAt === null) return true;
  if (access.refresh_failures > 0 || bankDataRails.find(environment, bank)?.isStatic) return false;
  const everyMs = environment === 'SANDBOX' ? limits.bankRefreshSandboxMs : limits.bankRefreshMs;
  return now.getTime() - triedAt > everyMs;
};

/** When the bank last showed the account, or refused to. */
const triedAtMs = ({ refreshed_at, refused_at }: AccountAccess): number | null =>
  refreshed_at || refused_at
    ? Math.max(refreshed_at?.getTime() ?? 0, refused_at?.getTime() ?? 0)
    : null;

/** A bank that failed is not waited for: what is known is answered. */
const isWaitedFor = (access: AccountAccess, before: number | null): boolean =>
  access.refresh_failures === 0 && triedAtMs(access) === before;

const sentences: Readonly<Partial<Record<AuthorisationStatus, string>>> = {
  OPEN: 'The customer has not authorised an account yet: open the link in their browser.',
  AT_BANK: 'The customer has not finished at the bank.',
  EXCHANGING: 'The bank is just confirming this authorisation. Try again in a moment.',
  LINKED: 'The customer has to confirm this authorisation again: open its link in their browser.',
  RECONFIRMATION_MISSED:
    'The customer has to confirm this authorisation again: open its link in their browser.',
  LOGIN_NEEDED: 'The bank wants the customer to log in again: initiate a new authorisation.',
  FAILED: 'This authorisation failed: initiate a new one.',
  CANCELLED: 'The customer cancelled this authorisation: initiate a new one.',
  EXPIRED: 'This authorisation has expired: initiate a new one.',
  REVOKED: 'This authorisation was revoked: initiate a new one.',
};

export const authorisationRequired = (status: AuthorisationStatus): Failure =>
  new Failure(failures.bankAuthorisationRequired, { message: sentences[status] ?? '' });
