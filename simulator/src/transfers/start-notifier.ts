import { setTimeout as pause } from 'node:timers/promises';
import { isTaken, post, signatureOf } from '#simulator/deliver-due.ts';
import type { Log } from '#simulator/log.ts';
import { startRepeats } from '#simulator/start-repeats.ts';
import type { Account, HubTools } from './model.ts';
import { prepareDeliveries } from './prepare-deliveries.ts';
import { listUnnoticed, markNoticed, nextNoticeAt } from './store/messages.ts';

// What happens together is in one message: so long a notice waits for more.
const shortestPauseMs = 250;
// Transfers and credits are booked ahead, so a look finds the moment of the next.
const longestPauseMs = 1_000;
const maxPauseMs = 30_000;
const maxAccounts = 100;

export type Notifier = {
  // A client reads the messages of this account: from now on it gets notices of them.
  readonly watch: (account: Account) => void;
  // Something was booked, or a clock was moved.
  readonly wake: () => void;
  readonly stop: () => Promise<void>;
};

type NotifierParts = {
  readonly tools: HubTools;
  readonly url: string;
  readonly secret: string;
  readonly log: Log;
};

export const startNotifier = (parts: NotifierParts): Notifier => {
  const accounts = new Map<string, Account>();
  let refusedPauseMs = 0;
  const look = async (): Promise<number> => {
    await pause(shortestPauseMs);
    let waitMs = longestPauseMs;
    for (const account of accounts.values()) {
      const outcome = await noticeOf(parts, account);
      refusedPauseMs = outcome.isRefused ? Math.min(2 * refusedPauseMs + 500, maxPauseMs) : 0;
      waitMs = Math.max(refusedPauseMs, Math.min(waitMs, outcome.nextInMs));
    }
    return Math.max(0, waitMs - shortestPauseMs);
  };
  const { wake, stop } = startRepeats([{ work: look, isWoken: true }], parts.log);
  return {
    watch: (account) => {
      const key = `${account.sortCode}${account.accountNumber}`;
      if (accounts.has(key) || accounts.size >= maxAccounts) return;
      accounts.set(key, account);
      wake();
    },
    wake,
    stop,
  };
};

// Without an address no notice is sent.
export const silentNotifier: Notifier = {
  watch: () => undefined,
  wake: () => undefined,
  stop: async () => undefined,
};

type Looked = { readonly nextInMs: number; readonly isRefused: boolean };

const noticeOf = async (parts: NotifierParts, account: Account): Promise<Looked> => {
  const { tools, url, secret } = parts;
  const { database, clock, random } = tools;
  const dueAt = await nextNoticeAt(database, account);
  if (dueAt > clock.now()) return { nextInMs: dueAt - clock.now(), isRefused: false };
  await prepareDeliveries(tools, account);
  const references = await listUnnoticed(database, account, clock.now());
  if (references.length === 0) return { nextInMs: 0, isRefused: false };
  const isTaken = await sendNotice({ url, secret, id: random.id(), account, now: clock.now() });
  if (isTaken) await markNoticed(database, references, clock.now());
  return { nextInMs: 0, isRefused: !isTaken };
};

type Notice = {
  readonly url: string;
  readonly secret: string;
  readonly id: string;
  readonly account: Account;
  readonly now: number;
};

// Says that messages wait, and nothing of what is in them. Answers whether the client took it.
const sendNotice = async ({ url, secret, id, account, now }: Notice): Promise<boolean> => {
  const { sortCode, accountNumber } = account;
  const body = JSON.stringify({ id, account: { sortCode, accountNumber } });
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'hub-signature': signatureOf(body, secret, now),
  };
  return isTaken(await post(url, { body, headers }));
};
