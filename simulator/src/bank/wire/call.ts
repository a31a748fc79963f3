import type { IncomingMessage } from 'node:http';
import type { Bank } from '../bank.ts';
import type { JsonObject, StandardVersion } from '../model.ts';
import type { WireVersion } from './versions.ts';

// A call of the standard's payments, accounts or subscriptions.
export type Call = {
  readonly bank: Bank;
  readonly version: StandardVersion;
  readonly wire: WireVersion;
  readonly request: IncomingMessage;
  readonly body: Buffer;
  readonly query: URLSearchParams;
  // What the path names, if anything.
  readonly id: string;
  // Without the path of the operation.
  readonly baseUrl: string;
};

export type Reply = {
  readonly status: number;
  // Left out: there is none.
  readonly body?: JsonObject;
  readonly delayMs?: number;
  readonly cutConnection?: boolean;
};

export type Operation = (call: Call) => Promise<Reply>;

export type Route = {
  readonly path: RegExp;
  readonly methods: Readonly<Record<string, Operation>>;
};

export const linkTo = ({ bank, baseUrl }: Call, path: string): string =>
  `${baseUrl}${bank.profile.wire.doublesSlashInLinks ? '/' : ''}${path}`;
