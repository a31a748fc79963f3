import type { IncomingMessage } from 'node:http';
import type { StandardVersion } from '../accounts/model.ts';
import type { Bank } from '../bank.ts';
import type { JsonObject } from '../ports.ts';
import type { PaymentVersion } from './payment-versions.ts';

export type PaymentCall = {
  readonly bank: Bank;
  readonly version: StandardVersion;
  readonly wire: PaymentVersion;
  readonly request: IncomingMessage;
  readonly body: Buffer;
  readonly id: string;
  readonly paymentsUrl: string;
};

export type Reply = {
  readonly status: number;
  // Left out: there is none.
  readonly body?: JsonObject;
  readonly delayMs?: number;
  readonly cutConnection?: boolean;
};

export type Operation = (call: PaymentCall) => Promise<Reply>;

export type Route = {
  readonly path: RegExp;
  readonly methods: Readonly<Record<string, Operation>>;
};

export const linkTo = (
  { bank, paymentsUrl }: Pick<PaymentCall, 'bank' | 'paymentsUrl'>,
  path: string,
): string => `${paymentsUrl}${bank.profile.wire.doublesSlashInLinks ? '/' : ''}${path}`;
