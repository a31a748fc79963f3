import type { Configuration } from 'openid-client';
import type { KeySource } from './open-key-source.ts';

/** A bank's published configuration, and its keys. */
export type Discovered = {
  readonly configuration: Configuration;
  /** Where a customer approves: a page, or an address that only the bank's app opens. */
  readonly authorisationEndpoint: string;
  /** Signs what the payer's browser brings back, and the id token. */
  readonly issuerKeys: KeySource;
  /** Signs the answers of the payment interface. */
  readonly answerKeys: KeySource;
};
