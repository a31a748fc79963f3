import type { Provider } from 'oidc-provider';
import type { BankProfile } from './banks.ts';
import type { BankTools } from './ports.ts';
import type { Signer, Verifier } from './wire/sign-message.ts';

// One bank, opened for business.
export type Bank = {
  readonly profile: BankProfile;
  readonly provider: Provider;
  readonly tools: BankTools;
  readonly signer: Signer;
  readonly verifier: Verifier;
};
