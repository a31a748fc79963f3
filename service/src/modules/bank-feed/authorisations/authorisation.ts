import type { Tenant } from '#kernel/environment.ts';
import type { AuthorisationStatus } from './authorisation-lifecycle.ts';

/** A customer's agreement that a merchant reads accounts of one bank. Times are business time. */
export type Authorisation = {
  readonly tenant: Tenant;
  readonly authorisationId: string;
  readonly status: AuthorisationStatus;
  readonly version: number;
  readonly redirectUrl: string;
  readonly callbackParams: CallbackParams;
  /** The access secret that signs the way back. */
  readonly secretId: string;
  readonly institutionId: string | null;
  readonly bankName: string | null;
  readonly oauthState: string | null;
  /** How often a bank was chosen. */
  readonly starts: number;
  readonly railStateEncrypted: Buffer | null;
  readonly consentReference: string | null;
  readonly endedReason: string | null;
  readonly linkExpiresAt: Date;
  readonly reconfirmBy: Date | null;
  /** When the state ends by itself. */
  readonly dueAt: Date | null;
  readonly linkedAt: Date | null;
  readonly endedAt: Date | null;
  readonly createdAt: Date;
  readonly merchantName: string;
  /** The tenant's time of the read. */
  readonly now: Date;
};

export type CallbackParams = Readonly<Record<string, string | number | boolean>>;

/** Accounts are read under it. A worker may be late: the time counts, not only the state. */
export const isReadable = ({ status, reconfirmBy, now }: Authorisation): boolean =>
  status === 'LINKED' && reconfirmBy !== null && now < reconfirmBy;

/** The customer has not finished, and the link can no longer be used. */
export const isLinkOver = ({ status, linkExpiresAt, now }: Authorisation): boolean =>
  (status === 'OPEN' || status === 'AT_BANK') && now >= linkExpiresAt;
