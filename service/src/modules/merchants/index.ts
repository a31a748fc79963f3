export { type AdvancedClock, advanceClock, type DueSource } from './advance-clock.ts';
export { isAllowedOrigin, isAllowedRedirectUrl } from './allowed-addresses.ts';
export { requireBankAccount } from './bank-account.ts';
export {
  createAccessSecret,
  type MintedSecret,
  type SecretOptions,
} from './create-access-secret.ts';
export {
  type CreatedMerchant,
  createMerchant,
  findFirstMerchant,
  type NewMerchant,
} from './create-merchant.ts';
export { createStore, type NewStore } from './create-store.ts';
export {
  findPublicId,
  missing,
  missingPublicId,
  otherEnvironment,
  type PublicTarget,
} from './find-public-id.ts';
export { listAccessSecrets } from './list-access-secrets.ts';
export { merchantRoutes } from './merchant-routes.ts';
export { type Authentication, openAuthentication } from './open-authentication.ts';
export { openWebOrigins, type WebOrigins } from './open-web-origins.ts';
export { findStore, type Payee, payeeFor, type Store, unknownStore } from './payee-for.ts';
export {
  type Merchant,
  readMerchant,
  requireSwitch,
  requireSwitchOf,
  type Switches,
} from './read-merchant.ts';
export { revokeAccessSecret } from './revoke-access-secret.ts';
export { sandboxRoutes } from './sandbox-routes.ts';
export { setAmountParts } from './set-amount-parts.ts';
export { setCollectingAccounts } from './set-collecting-accounts.ts';
export { setSwitches } from './set-switches.ts';
export { setTips } from './set-tips.ts';
export { rememberSigningSecrets, type SigningSecret, signingSecret } from './signing-secret.ts';
export { clockOffsetSql } from './store/clock.ts';
export type { PublicIdKind } from './store/directory.ts';
export { chosenStoreSql } from './store/stores.ts';
