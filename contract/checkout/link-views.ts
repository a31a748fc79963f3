import type { CheckoutBank, PageFrame, ReturnToMerchant } from './views.ts';

/** What the page shows on which a customer links bank accounts, as data. Times are ISO 8601. */
export type LinkCommon = {
  readonly frame: PageFrame;
  readonly accountAuthId: string;
  readonly formToken: string;
  readonly returnTo: ReturnToMerchant;
};

/** An account by its last four digits: the page shows no whole number. */
export type LinkAccount = { readonly sortCode: string | null; readonly lastDigits: string | null };

export type LinkView = LinkCommon &
  (
    | {
        readonly page: 'CHOOSE_BANK';
        readonly banks: readonly CheckoutBank[];
        readonly search: string;
        /** Until then the link can be used. */
        readonly expiresAt: string;
        /** The bank that was chosen and could not be reached. */
        readonly failedBank: string | null;
      }
    | {
        /** What is shared, for what, how long, and how it ends. */
        readonly page: 'CONSENT';
        readonly bank: CheckoutBank;
        readonly historyMonths: number;
        readonly confirmEveryDays: number;
        readonly expiresAt: string;
      }
    | {
        /** The customer is back, and the accounts are just being linked. */
        readonly page: 'WAITING';
        readonly refreshInSeconds: number;
      }
    | {
        /** To confirm, or to end it. `isLapsed`: it was not confirmed in time. */
        readonly page: 'LINKED';
        readonly bankName: string;
        readonly accounts: readonly LinkAccount[];
        readonly linkedAt: string;
        readonly reconfirmBy: string;
        readonly confirmEveryDays: number;
        readonly isLapsed: boolean;
        readonly isJustConfirmed: boolean;
      }
    | { readonly page: 'ENDED' }
    | {
        /** The login of the bank with static data, in the sandbox only. */
        readonly page: 'TEST_BANK';
        readonly bankName: string;
        readonly state: string;
      }
  );
