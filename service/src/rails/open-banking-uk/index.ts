export { diagnoseBanks } from './doctor/diagnose-banks.ts';
export type { Finding } from './doctor/finding.ts';
export type { OpenBankingUk } from './open-banking-uk.ts';
export { openBankingUk } from './open-banking-uk.ts';
export { registerAtBank } from './registration/register-at-bank.ts';
export type { BankProfile, IdTokenChecks } from './settings/bank-profile.ts';
export { allIdTokenChecks } from './settings/bank-profile.ts';
export { productionBanks } from './settings/production-banks.ts';
export { readRegistration } from './settings/read-registration.ts';
export type { SettingsSource } from './settings/read-settings-file.ts';
export { readSettingsFile } from './settings/read-settings-file.ts';
export type {
  OpenBankingClient,
  OpenBankingSettings,
  OpenBankingTools,
  Timeouts,
} from './settings/settings.ts';
