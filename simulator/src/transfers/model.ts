import type { Direction, Movement, Party } from '#simulator/bank/model.ts';
import type { Database } from '#simulator/store/database.ts';
import type { Faults } from '#simulator/store/faults.ts';
import type { Clock } from '#simulator/system-clock.ts';

export type NamedAccount = Party;
export type Account = Omit<NamedAccount, 'name'>;

// What a client ordered with one pain.001.
export type Order = {
  readonly messageId: string;
  readonly contentHash: string;
  readonly text: string;
  readonly debtor: NamedAccount;
  readonly transfers: readonly OrderedTransfer[];
};

export type OrderedTransfer = {
  readonly endToEndId: string;
  readonly amountPence: bigint;
  readonly creditor: NamedAccount;
  readonly ultimateDebtorId?: string | undefined;
  readonly reference: string;
};

// A transfer has `status` once it is `afterMs` old on its own clock.
export type TransferStep = {
  readonly status: 'RCVD' | 'PDNG' | 'ACTC' | 'ACCP' | 'ACSP' | 'ACSC' | 'ACCC' | 'RJCT';
  readonly afterMs: number;
  readonly reason?: string;
};

export type TransferSchedule = readonly TransferStep[];

export type Entry = {
  readonly account: Account;
  readonly direction: Direction;
  readonly kind: Movement['kind'];
  readonly amountPence: bigint;
  readonly endToEndId?: string | undefined;
  readonly showsId: boolean;
  readonly counterparty: NamedAccount;
  readonly reference: string;
  readonly reason?: string | undefined;
  readonly afterMs: number;
  // How far ahead of real time the account's statement has it.
  readonly statedAheadMs?: number | undefined;
};

export type BookedEntry = Omit<Entry, 'afterMs' | 'statedAheadMs' | 'account'> & {
  readonly id: bigint;
  readonly statedAt: number;
};

// One accepted transfer with its planned steps.
export type Transfer = OrderedTransfer & {
  readonly messageId: string;
  readonly position: number;
  readonly bankReference: string;
  readonly behaviour: string;
  readonly schedule: TransferSchedule;
};

export type DueTransfer = Transfer & {
  readonly reportedSteps: number;
  readonly reachedSteps: number;
};

export type HubTools = {
  readonly database: Database;
  readonly faults: Faults;
  readonly clock: Clock;
  readonly random: { id(): string };
  readonly settlesByMs?: number | undefined;
};
