import type { Environment, Tenant } from '#kernel/environment.ts';
import { lifecycle } from '#kernel/lifecycle.ts';
import { type Named, named } from '#platform/database/rows.ts';

/**
 * FEED-1, FEED-3, FEED-6. The customer chooses a bank (AT_BANK), approves there, and the code that
 * comes back is exchanged once. From LINKED on accounts are read, until the customer fails to confirm,
 * the bank wants a login, or the authorisation ends.
 */
export const authorisationLifecycle = lifecycle({
  name: 'bank authorisation',
  initial: 'OPEN',
  states: [
    ...(['OPEN', 'AT_BANK', 'EXCHANGING', 'LINKED', 'RECONFIRMATION_MISSED'] as const),
    ...(['LOGIN_NEEDED', 'FAILED', 'CANCELLED', 'EXPIRED', 'REVOKED'] as const),
  ],
  edges: [
    { from: 'OPEN', trigger: 'bankChosen', to: 'AT_BANK' },
    { from: 'OPEN', trigger: 'cancelledByCustomer', to: 'CANCELLED' },
    { from: 'OPEN', trigger: 'linkExpired', to: 'EXPIRED' },
    { from: 'OPEN', trigger: 'revoked', to: 'REVOKED' },
    { from: 'AT_BANK', trigger: 'bankChosen', to: 'AT_BANK' },
    { from: 'AT_BANK', trigger: 'consentCreated', to: 'AT_BANK' },
    { from: 'AT_BANK', trigger: 'consentNotCreated', to: 'OPEN' },
    { from: 'AT_BANK', trigger: 'approved', to: 'EXCHANGING' },
    { from: 'AT_BANK', trigger: 'declinedByCustomer', to: 'CANCELLED' },
    { from: 'AT_BANK', trigger: 'cancelledByCustomer', to: 'CANCELLED' },
    { from: 'AT_BANK', trigger: 'refusedByBank', to: 'FAILED' },
    { from: 'AT_BANK', trigger: 'linkExpired', to: 'EXPIRED' },
    { from: 'AT_BANK', trigger: 'revoked', to: 'REVOKED' },
    { from: 'EXCHANGING', trigger: 'linked', to: 'LINKED' },
    { from: 'EXCHANGING', trigger: 'notLinked', to: 'FAILED' },
    { from: 'EXCHANGING', trigger: 'revoked', to: 'REVOKED' },
    { from: 'LINKED', trigger: 'reconfirmed', to: 'LINKED' },
    { from: 'LINKED', trigger: 'reconfirmationMissed', to: 'RECONFIRMATION_MISSED' },
    { from: 'LINKED', trigger: 'loginDemanded', to: 'LOGIN_NEEDED' },
    { from: 'LINKED', trigger: 'revoked', to: 'REVOKED' },
    { from: 'LINKED', trigger: 'revokedAtBank', to: 'REVOKED' },
    { from: 'LINKED', trigger: 'consentExpired', to: 'EXPIRED' },
    { from: 'RECONFIRMATION_MISSED', trigger: 'reconfirmed', to: 'LINKED' },
    { from: 'RECONFIRMATION_MISSED', trigger: 'revoked', to: 'REVOKED' },
    { from: 'RECONFIRMATION_MISSED', trigger: 'lapsed', to: 'EXPIRED' },
    { from: 'LOGIN_NEEDED', trigger: 'revoked', to: 'REVOKED' },
    { from: 'LOGIN_NEEDED', trigger: 'lapsed', to: 'EXPIRED' },
  ],
});

export type AuthorisationStatus = (typeof authorisationLifecycle.states)[number];
export type AuthorisationTrigger = (typeof authorisationLifecycle.edges)[number]['trigger'];

/** A customer's agreement that a merchant reads accounts of one bank. Times are business time. */
export type Authorisation = Named<Omit<AuthorisationRow, 'merchant_id' | 'environment'>> & {
  readonly tenant: Tenant;
};

export type AuthorisationRow = {
  readonly merchant_id: string;
  readonly environment: Environment;
  readonly authorisation_id: string;
  readonly status: AuthorisationStatus;
  readonly version: number;
  readonly redirect_url: string;
  readonly callback_params: CallbackParams;
  /** The access secret that signs the way back. */
  readonly secret_id: string;
  readonly request_id: string | null;
  readonly institution_id: string | null;
  readonly bank_name: string | null;
  readonly oauth_state: string | null;
  /** How often a bank was chosen. */
  readonly starts: number;
  readonly rail_state_encrypted: Buffer | null;
  readonly consent_reference: string | null;
  readonly ended_reason: string | null;
  readonly link_expires_at: Date;
  readonly reconfirm_by: Date | null;
  /** When the state ends by itself. */
  readonly due_at: Date | null;
  readonly linked_at: Date | null;
  readonly ended_at: Date | null;
  readonly created_at: Date;
  readonly merchant_name: string;
  /** The tenant's time of the read. */
  readonly now: Date;
};

export const authorisationOf = ({
  merchant_id: merchantId,
  environment,
  ...row
}: AuthorisationRow): Authorisation => ({ tenant: { merchantId, environment }, ...named(row) });

export type CallbackParams = Readonly<Record<string, string | number | boolean>>;

/** Accounts are read under it. A worker may be late: the time counts, not only the state. */
export const isReadable = ({ status, reconfirmBy, now }: Authorisation): boolean =>
  status === 'LINKED' && reconfirmBy !== null && now < reconfirmBy;

/** The customer has not finished, and the link can no longer be used. */
export const isLinkOver = ({ status, linkExpiresAt, now }: Authorisation): boolean =>
  (status === 'OPEN' || status === 'AT_BANK') && now >= linkExpiresAt;
