export { type BankTemplate, standardTemplate } from './bank-template.ts';
export { type Iso20022, openIso20022 } from './open-iso20022.ts';
export type { Iso20022Settings } from './settings.ts';
export { transferSettings } from './transfer-settings.ts';
