import { encryptedColumns } from './access/secrets.ts';
import { merchantCommands, operatorCommands } from './commands.ts';
import { merchantRoutes } from './merchant-routes.ts';
import { operatorRoutes } from './operator-routes.ts';

// What the programs mount

export const merchantsModule = {
  name: 'merchants',
  migrations: ['0003_merchants.sql', '0004_access.sql'],
  routes: [merchantRoutes],
  operatorRoutes: [operatorRoutes],
  operatorCommands,
  merchantCommands,
  encryptedColumns,
};

// Routes

export { merchantRoutes } from './merchant-routes.ts';

// Secrets, origins and owners of ids

export {
  changeAccessSecret,
  listAccessSecrets,
  revokeAccessSecret,
} from './access/change-secrets.ts';
export {
  findOpenId,
  findPublicId,
  leadToCells,
  missing,
  missingPublicId,
  otherEnvironment,
  type PublicTarget,
} from './access/find-public-id.ts';
export { type Authentication, openAuthentication } from './access/open-authentication.ts';
export {
  openWebOrigins,
  tenantsListing,
  type WebOrigins,
  webOriginsOf,
} from './access/open-web-origins.ts';
export {
  addAccessSecret,
  createAccessSecret,
  isAccessSecret,
  isAllowedOrigin,
  isAllowedRedirectUrl,
  type MintedSecret,
  mintAccessSecret,
  rememberSigningSecrets,
  type SecretOptions,
  type SigningSecret,
  signingSecret,
} from './access/secrets.ts';
export type { PublicIdKind } from './access/store.ts';

// Stores and payees

export {
  changeStore,
  createOwnStore,
  listOwnStores,
  maskedAccountNumber,
  maskedSortCode,
  unknownOwnStore,
} from './stores/own-stores.ts';
export { shownStoreName, shownStoreNameSql } from './stores/shown-store-name.ts';
export { changeAccountCtes } from './stores/store/own-stores.ts';
export { chosenStoreSql, isPlaceholderSql } from './stores/store/stores.ts';
export {
  accountNeeded,
  createStore,
  findStore,
  listStores,
  type NewStore,
  noCollectingAccount,
  type Payee,
  payeeFor,
  requireBankAccount,
  type Store,
  setCollectingAccounts,
  unknownStore,
} from './stores/stores.ts';

// The merchant and its settings

export {
  type MerchantSettings,
  readTips,
  setAmountParts,
  setExpiry,
  setMerchant,
  setRefundApproval,
  setSwitches,
  setTips,
} from './settings/change-settings.ts';
export {
  addMerchant,
  type CreatedMerchant,
  createMerchant,
  findFirstMerchant,
  type NewMerchant,
  newMerchantRows,
} from './settings/create-merchant.ts';
export { pictureTypes, readLogo } from './settings/logo.ts';
export {
  listMerchants,
  logoPath,
  type Merchant,
  readMerchant,
  requireMerchant,
  requireSwitch,
  requireSwitchOf,
  showMerchant,
} from './settings/merchant.ts';
export { setPayoutSettings, showPayoutSettings } from './settings/payout-settings.ts';
export {
  insertMerchantCtes,
  type NewMerchantRows,
  type Switches,
} from './settings/store/merchants.ts';
export { clockOffsetSql, readTenantTime } from './settings/store/settings.ts';

// Suspensions

export { merchantSuspended, resumeMerchant, suspendMerchant } from './suspensions/suspensions.ts';
