// Routes

export { merchantRoutes } from './merchant-routes.ts';
export { operatorRoutes } from './operator-routes.ts';

// Secrets, origins and owners of ids

export { isAccessSecret, mintAccessSecret } from './access/access-secret.ts';
export { addAccessSecret } from './access/add-access-secret.ts';
export { changeAccessSecret } from './access/change-access-secret.ts';
export {
  createAccessSecret,
  type MintedSecret,
  type SecretOptions,
} from './access/create-access-secret.ts';
export {
  findPublicId,
  missing,
  missingPublicId,
  otherEnvironment,
  type PublicTarget,
} from './access/find-public-id.ts';
export { isAllowedOrigin, isAllowedRedirectUrl } from './access/is-allowed.ts';
export { listAccessSecrets } from './access/list-access-secrets.ts';
export { type Authentication, openAuthentication } from './access/open-authentication.ts';
export { openWebOrigins, type WebOrigins } from './access/open-web-origins.ts';
export { revokeAccessSecret } from './access/revoke-access-secret.ts';
export {
  rememberSigningSecrets,
  type SigningSecret,
  signingSecret,
} from './access/signing-secret.ts';
export type { PublicIdKind } from './access/store/directory.ts';

// Stores and payees

export { requireBankAccount } from './stores/bank-account.ts';
export { changeStore, createOwnStore, unknownOwnStore } from './stores/change-store.ts';
export { createStore, type NewStore } from './stores/create-store.ts';
export {
  listOwnStores,
  maskedAccountNumber,
  maskedSortCode,
} from './stores/list-own-stores.ts';
export { listStores } from './stores/list-stores.ts';
export {
  accountNeeded,
  findStore,
  type Payee,
  payeeFor,
  type Store,
  unknownStore,
} from './stores/payee-for.ts';
export { setCollectingAccounts } from './stores/set-collecting-accounts.ts';
export { changeAccountCtes } from './stores/store/change-account-ctes.ts';
export { chosenStoreSql, isPlaceholderSql } from './stores/store/stores.ts';

// The merchant and its settings

export { addMerchant } from './settings/add-merchant.ts';
export { pictureTypes } from './settings/check-logo.ts';
export {
  type CreatedMerchant,
  createMerchant,
  findFirstMerchant,
  type NewMerchant,
  newMerchantRows,
} from './settings/create-merchant.ts';
export { listMerchants } from './settings/list-merchants.ts';
export { readLogo } from './settings/read-logo.ts';
export {
  logoPath,
  type Merchant,
  readMerchant,
  requireSwitch,
  requireSwitchOf,
  type Switches,
} from './settings/read-merchant.ts';
export { setAmountParts } from './settings/set-amount-parts.ts';
export { setExpiry } from './settings/set-expiry.ts';
export { type MerchantSettings, setMerchant } from './settings/set-merchant.ts';
export { setPayoutSettings } from './settings/set-payout-settings.ts';
export { setRefundApproval } from './settings/set-refund-approval.ts';
export { setSwitches } from './settings/set-switches.ts';
export { setTips } from './settings/set-tips.ts';
export { requireMerchant, showMerchant } from './settings/show-merchant.ts';
export { clockOffsetSql } from './settings/store/clock-offset-sql.ts';
export { insertMerchantCtes, type NewMerchantRows } from './settings/store/merchants.ts';

// Suspensions

export { merchantSuspended } from './suspensions/merchant-suspended.ts';
export { resumeMerchant } from './suspensions/resume-merchant.ts';
export { suspendMerchant } from './suspensions/suspend-merchant.ts';

// What a new master key encrypts again

export { encryptedColumns } from './encrypted-columns.ts';
