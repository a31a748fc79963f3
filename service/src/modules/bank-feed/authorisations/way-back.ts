import { createHmac } from 'node:crypto';
import type { Tenant } from '#kernel/environment.ts';
import { signingSecret } from '#modules/merchants/index.ts';
import type { Uses } from '#platform/tools.ts';
import type { Authorisation, AuthorisationStatus } from './authorisation.ts';
import { listLinkedAccounts } from './store/authorisations.ts';

export type WayBack = { readonly url: string };

/**
 * The address back to the merchant, with the outcome and a signature over it (FEED-1). Null where the
 * customer has not come to an end, and where the address was erased.
 */
export const wayBack = async (
  tools: Uses<'database' | 'secrets'>,
  authorisation: Authorisation,
): Promise<WayBack | null> => {
  const { tenant, authorisationId, redirectUrl, callbackParams } = authorisation;
  const status = outcomeOf[authorisation.status];
  if (!status || redirectUrl === '') return null;
  const url = new URL(redirectUrl);
  for (const [key, value] of Object.entries(callbackParams))
    if (!ownNames.has(key)) url.searchParams.set(key, String(value));
  const bankAccountIds =
    status === 'SUCCESS' ? await accountIdsOf(tools, tenant, authorisationId) : [];
  const own = {
    status,
    accountAuthId: authorisationId,
    ...(status === 'SUCCESS' ? { bankAccountIds: bankAccountIds.join(',') } : {}),
  };
  const signed = await signatureOf(tools, authorisation, own);
  for (const [key, value] of Object.entries({ ...own, ...signed }))
    url.searchParams.set(key, value);
  return { url: url.toString() };
};

const outcomeOf: Readonly<Partial<Record<AuthorisationStatus, string>>> = {
  LINKED: 'SUCCESS',
  FAILED: 'FAILED',
  CANCELLED: 'CANCELLED',
  EXPIRED: 'EXPIRED',
};

/** A callback parameter never stands under one of these, whether it is set or not. */
const ownNames: ReadonlySet<string> = new Set([
  ...['status', 'accountAuthId', 'bankAccountIds', 'florinTime', 'florinSignature'],
]);

const accountIdsOf = async (
  { database }: Uses<'database'>,
  tenant: Tenant,
  authorisationId: string,
): Promise<readonly string[]> => {
  const values = { ...tenant, authorisationId };
  const rows = await database.tenant(tenant.merchantId, listLinkedAccounts, values);
  return rows.map((row) => row.account_id);
};

/**
 * HMAC-SHA256 with the access secret that initiated the authorisation, over everything that the way
 * back says of it. Its prefix keeps it from standing for the signature of a payment.
 */
const signatureOf = async (
  tools: Uses<'database' | 'secrets'>,
  { tenant, secretId, now }: Authorisation,
  own: {
    readonly status: string;
    readonly accountAuthId: string;
    readonly bankAccountIds?: string;
  },
): Promise<Readonly<Record<string, string>>> => {
  const signer = await signingSecret(tools, tenant, secretId);
  if (!signer) return {};
  const florinTime = now.toISOString();
  const { status, accountAuthId, bankAccountIds = '' } = own;
  const text = ['florin-bank-link', status, accountAuthId, bankAccountIds, florinTime].join('|');
  const florinSignature = createHmac('sha256', signer.secret).update(text).digest('hex');
  return { florinTime, florinSignature };
};
