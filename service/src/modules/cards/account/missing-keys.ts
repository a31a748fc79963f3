import type { Tenant } from '#kernel/environment.ts';
import type { TenantCase } from '#modules/operator-cases/index.ts';

/** Work that can be resolved at one account alone, whose keys are not here (CARD-20). */
export const missingKeys = (
  tenant: Tenant,
  accountKey: string,
  evidence: Readonly<Record<string, string>>,
): TenantCase => ({
  tenant,
  kind: 'CARD_ACCOUNT_KEYS_MISSING',
  subject: `${tenant.merchantId} ${tenant.environment} ${accountKey}`,
  description:
    `Open card work needs the keys of the processor account ${accountKey}, which are not here: ` +
    'save them with npm run card-account, or record its outcomes.',
  evidence: { accountKey, ...evidence },
});
