import type { Refusal, Unknown } from './bank-rail.ts';

/**
 * What banks tell us by themselves (BANK-22). A notification is a hint to read now, over our own
 * connection: nothing that it says of a payment or a consent is believed.
 */
export type BankEvents = {
  /** The banks that send notifications. */
  readonly institutionIds: () => readonly string[];
  readonly readNotification: (institutionId: string, token: string) => Promise<NotificationOutcome>;
  /**
   * Makes the bank send its notifications to an address under `baseUrl`, if it does not already. It
   * may be repeated at any time.
   */
  readonly keepSubscription: (
    institutionId: string,
    baseUrl: string,
  ) => Promise<SubscriptionOutcome>;
};

export type SubscriptionOutcome =
  | { readonly kind: 'KEPT' | 'CREATED' | 'CHANGED' }
  | Refusal
  | Unknown;

/** Under the address of the service: where a bank sends its notifications. */
export const bankEventsPath = '/api/rails/bank-events';

export type NotificationOutcome =
  | {
      readonly kind: 'PAYMENT' | 'ACCOUNT_CONSENT';
      /** The bank's id of it: `paymentReference` of a submission, or `reference` of a consent. */
      readonly reference: string;
    }
  /** Signed by the bank for us, about something that is never read. */
  | { readonly kind: 'UNUSED' }
  /** Not from this bank, not for us, or not of now. */
  | { readonly kind: 'INVALID'; readonly description: string }
  /** The bank's keys cannot be fetched now: it may send the same again. */
  | Unknown;
