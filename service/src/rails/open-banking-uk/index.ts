export type { BankProfile, IdTokenChecks } from './bank-profile.ts';
export { allIdTokenChecks } from './bank-profile.ts';
export type { OpenBankingUk } from './open-banking-uk.ts';
export { openBankingUk } from './open-banking-uk.ts';
export { productionBanks } from './production-banks.ts';
export { readRegistration } from './read-registration.ts';
export { readSettingsFile } from './read-settings-file.ts';
export type {
  OpenBankingClient,
  OpenBankingSettings,
  OpenBankingTools,
  Timeouts,
} from './settings.ts';
