import {
  type BodyOf,
  type initiateBankAuthorisation as described,
  limits,
  type ReplyOf,
} from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { merchantSuspended } from '#modules/merchants/index.ts';
import type { Call, Caller } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import type { BankDataRails } from './bank-data-rails.ts';
import { checkInitiate } from './check-initiate.ts';
import { findAuthorisation } from './find-authorisation.ts';
import { linkUrl } from './link-url.ts';
import { insertAuthorisation } from './store/authorisations.ts';

export type InitiateTools = Uses<'database' | 'ids'> & {
  readonly bankDataRails: BankDataRails;
  readonly publicUrl: string;
};

/** A link on which a customer authorises accounts. No bank is called yet. */
export const initiateAuthorisation = async (
  tools: InitiateTools,
  { tenant, secretId }: Pick<Caller, 'tenant' | 'secretId'>,
  body: BodyOf<typeof described>,
  decideOnce: Call<typeof described>['decideOnce'],
): Promise<ReplyOf<typeof described>> => {
  const checked = checkInitiate(body, tenant.environment);
  tools.bankDataRails.requireAny(tenant.environment);
  const authorisationId = await decideOnce(async () => tools.ids.uuid());
  await tools.database.tenant(tenant.merchantId, insertAuthorisation, {
    ...tenant,
    authorisationId,
    redirectUrl: checked.redirectUrl,
    callbackParams: JSON.stringify(checked.callbackParams),
    secretId,
    linkMs: limits.bankLinkMs,
  });
  return initiatedReply(tools, tenant, authorisationId);
};

const initiatedReply = async (
  tools: InitiateTools,
  tenant: Tenant,
  authorisationId: string,
): Promise<ReplyOf<typeof described>> => {
  const made = await findAuthorisation(tools, tenant, authorisationId);
  if (!made) throw merchantSuspended();
  return {
    url: linkUrl(tools.publicUrl, made),
    accountAuthId: authorisationId,
    expiresAt: made.linkExpiresAt.toISOString(),
  };
};
