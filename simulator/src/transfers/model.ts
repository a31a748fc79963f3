import type { Pool } from 'pg';
import type { Clock, Random } from '#simulator/bank/ports.ts';

export type Account = {
  readonly sortCode: string;
  readonly accountNumber: string;
};

export type NamedAccount = Account & {
  readonly name: string;
};

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
  readonly ultimateDebtorId: string | undefined;
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
  readonly direction: 'CRDT' | 'DBIT';
  readonly kind: 'payment' | 'transfer' | 'return' | 'reversal' | 'deposit';
  readonly amountPence: bigint;
  readonly endToEndId: string | undefined;
  readonly showsId: boolean;
  readonly counterparty: NamedAccount;
  readonly reference: string;
  readonly reason: string | undefined;
  readonly afterMs: number;
};

export type BookedEntry = Omit<Entry, 'afterMs'> & {
  readonly id: bigint;
  readonly statedAt: Date;
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
  readonly pool: Pool;
  readonly clock: Clock;
  readonly random: Random;
};
