import type { BankTemplate } from './bank-template.ts';

export type Iso20022Settings = {
  readonly template: BankTemplate;
  readonly channel: HttpChannelSettings | FolderChannelSettings;
};

/** A bank that takes messages over HTTP: the simulator's transfer hub. */
export type HttpChannelSettings = {
  readonly kind: 'HTTP';
  readonly url: string;
  readonly secret: string;
  /** The bank signs its notices with it; null: it sends none. */
  readonly noticeSecret: string | null;
  /** The account whose reports are fetched: the collecting account. */
  readonly account: { readonly sortCode: string; readonly accountNumber: string };
  readonly timeoutMs?: number;
};

/** A folder that a bank's own client, an SFTP job or a person carries to and from the bank. */
export type FolderChannelSettings = {
  readonly kind: 'FOLDER';
  readonly root: string;
  /** A file that cannot be read is left alone for so long: it may still be being written. */
  readonly settleMs?: number;
};

export const defaultTimeoutMs = 15_000;
export const defaultSettleMs = 30_000;
