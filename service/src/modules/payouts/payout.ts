import type { Tenant } from '#kernel/environment.ts';
import type { Pence } from '#kernel/pence.ts';
import type { TransferOutcome } from '#modules/transfers/index.ts';
import type { TransferAccount } from '#rails/transfer-rail.ts';
import type { PayoutStatus } from './payout-lifecycle.ts';
import type { PeriodRule } from './settlement-period-end.ts';

export type PayoutPart = {
  readonly endToEndId: string;
  readonly amountPence: Pence;
  /** Null: on its way. */
  readonly outcome: TransferOutcome | null;
};

export type Payout = {
  readonly tenant: Tenant;
  readonly payoutId: string;
  readonly status: PayoutStatus;
  readonly version: number;
  readonly reference: string;
  readonly account: TransferAccount;
  /** Negative when refunds exceed payments. */
  readonly amountPence: Pence;
  /** Of its first transfer. */
  readonly endToEndId: string | null;
  /** Its transfers. */
  readonly parts: readonly PayoutPart[];
  /** Of its first line. */
  readonly storeId: string | null;
  readonly merchantName: string;
  readonly periodRule: PeriodRule;
  /** Business time at which it was read. */
  readonly now: Date;
};
