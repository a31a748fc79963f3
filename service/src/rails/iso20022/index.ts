export type { Iso20022Settings } from './channel.ts';
export { type BankTemplate, standardTemplate } from './channel.ts';
export { type Iso20022, openIso20022, transferSettings } from './open-iso20022.ts';
