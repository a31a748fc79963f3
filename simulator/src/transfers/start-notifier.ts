import { createHmac } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '#simulator/log.ts';
import { isDatabaseLost } from '#simulator/store/open-pool.ts';
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
  const stopping = new AbortController();
  let waking = new AbortController();
  let isWoken = false;
  let refusedPauseMs = 0;
  const look = async (): Promise<number> => {
    let waitMs = longestPauseMs;
    for (const account of accounts.values()) {
      const outcome = await noticeOf(parts, account);
      refusedPauseMs = outcome.isRefused ? Math.min(2 * refusedPauseMs + 500, maxPauseMs) : 0;
      waitMs = Math.max(refusedPauseMs, Math.min(waitMs, outcome.nextInMs));
    }
    return Math.max(shortestPauseMs, waitMs);
  };
  const wait = async (ms: number): Promise<void> => {
    await rest(shortestPauseMs, stopping.signal);
    waking = new AbortController();
    if (!isWoken) {
      const signal = AbortSignal.any([waking.signal, stopping.signal]);
      await rest(ms - shortestPauseMs, signal);
    }
    isWoken = false;
  };
  const running = (async () => {
    while (!stopping.signal.aborted)
      await wait(
        await look().catch((error: Error) => {
          if (!isDatabaseLost(error)) parts.log('notice failed', { reason: error.message });
          return longestPauseMs;
        }),
      );
  })();
  const wake = (): void => {
    isWoken = true;
    waking.abort();
  };
  return {
    watch: (account) => {
      const key = `${account.sortCode}${account.accountNumber}`;
      if (accounts.has(key) || accounts.size >= maxAccounts) return;
      accounts.set(key, account);
      wake();
    },
    wake,
    stop: async () => {
      stopping.abort();
      await running;
    },
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
  const { pool, clock, random } = tools;
  const dueAt = await nextNoticeAt(pool, account);
  if (dueAt > clock.now()) return { nextInMs: dueAt - clock.now(), isRefused: false };
  await prepareDeliveries(tools, account);
  const references = await listUnnoticed(pool, account, clock.now());
  if (references.length === 0) return { nextInMs: 0, isRefused: false };
  const isTaken = await sendNotice({ url, secret, id: random.id(), account, now: clock.now() });
  if (isTaken) await markNoticed(pool, references, clock.now());
  return { nextInMs: 0, isRefused: !isTaken };
};

const rest = (ms: number, signal: AbortSignal): Promise<unknown> =>
  ms > 0 ? pause(ms, undefined, { signal }).catch(() => undefined) : Promise.resolve();

const answerTimeoutMs = 5_000;

type Notice = {
  readonly url: string;
  readonly secret: string;
  readonly id: string;
  readonly account: Account;
  readonly now: number;
};

// Says that messages wait, and nothing of what is in them. Answers whether the client took it.
const sendNotice = async (notice: Notice): Promise<boolean> => {
  const { sortCode, accountNumber } = notice.account;
  const body = JSON.stringify({ id: notice.id, account: { sortCode, accountNumber } });
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'hub-signature': signatureOf(body, notice.secret, notice.now),
  };
  const signal = AbortSignal.timeout(answerTimeoutMs);
  try {
    const sent = { method: 'POST', headers, body, signal, redirect: 'manual' } as const;
    const reply = await fetch(notice.url, sent);
    await reply.arrayBuffer();
    return reply.ok;
  } catch {
    return false;
  }
};

const signatureOf = (body: string, secret: string, now: number): string => {
  const stamp = Math.floor(now / 1000);
  const digest = createHmac('sha256', secret).update(`${stamp}.${body}`).digest('hex');
  return `t=${stamp},v1=${digest}`;
};
