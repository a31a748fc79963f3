import type { IncomingMessage } from 'node:http';
import type { StandardVersion } from '../accounts/model.ts';
import type { Bank } from '../bank.ts';
import type { JsonObject } from '../ports.ts';
import type { WireVersion } from './account-versions.ts';

export type AccountCall = {
  readonly bank: Bank;
  readonly request: IncomingMessage;
  readonly body: Buffer;
  readonly query: URLSearchParams;
  // What the path names: a consent or an account.
  readonly id: string;
  readonly version: StandardVersion;
  readonly wire: WireVersion;
  readonly accountsUrl: string;
};

// No body: 204.
export type AccountReply = { readonly status: number; readonly body?: JsonObject };

export type Operation = (call: AccountCall) => Promise<AccountReply>;
