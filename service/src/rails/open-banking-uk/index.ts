export { diagnoseBanks } from './doctor/diagnose-banks.ts';
export type { Finding } from './doctor/finding.ts';
export { type OpenBankingUk, openBankingUk } from './open-banking-uk.ts';
export { registerAtBank } from './register-client.ts';
export { allIdTokenChecks, type BankProfile, type IdTokenChecks } from './settings/bank-profile.ts';
export { knownBanks } from './settings/known-banks.ts';
export { readRegistration } from './settings/read-registration.ts';
export { readSettingsFile, type SettingsSource } from './settings/read-settings-file.ts';
export type {
  OpenBankingClient,
  OpenBankingSettings,
  OpenBankingTools,
} from './settings/settings.ts';
