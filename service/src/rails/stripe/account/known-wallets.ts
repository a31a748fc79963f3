import { setBounded } from '#kernel/set-bounded.ts';
import type { Account } from './account.ts';
import { readWallets } from './read-wallets.ts';
import { walletAccountsMax, walletsLifeMs, walletsReadAgainMs } from './settings.ts';

export type KnownWallets = {
  /** Without the network: a payer never waits for it. Unknown or too old: none. */
  readonly of: (account: Account) => readonly string[];
  /** What is being read ends. */
  readonly close: () => Promise<void>;
};

type Entry = {
  wallets: readonly string[];
  /** When the processor gave the wallets; null: not yet. */
  knownAtMs: number | null;
  /** The last call, answered or not. */
  calledAtMs: number;
};

/** The wallets of each account as its processor last said; a page that names them has them read. */
export const knownWallets = (): KnownWallets => {
  const entries = new Map<string, Entry>();
  const reading = new Set<Promise<void>>();
  const read = async (account: Account, entry: Entry): Promise<void> => {
    const wallets = await readWallets(account);
    if (!wallets) return;
    entry.wallets = wallets;
    entry.knownAtMs = account.tools.clock.now().getTime();
  };
  const of = (account: Account): readonly string[] => {
    const nowMs = account.tools.clock.now().getTime();
    const key = keyOf(account);
    const entry = entries.get(key) ?? { wallets: [], knownAtMs: null, calledAtMs: -Infinity };
    if (nowMs - entry.calledAtMs >= walletsReadAgainMs) {
      entry.calledAtMs = nowMs;
      setBounded(entries, key, entry, walletAccountsMax);
      const call = read(account, entry).catch((error: unknown) => {
        account.tools.log.error({ error }, 'wallets could not be read');
      });
      reading.add(call);
      void call.then(() => reading.delete(call));
    }
    const isFresh = entry.knownAtMs !== null && nowMs - entry.knownAtMs < walletsLifeMs;
    return isFresh ? entry.wallets : [];
  };
  return { of, close: async () => void (await Promise.all(reading)) };
};

const keyOf = ({ settings: { environment, apiUrl, accountKey } }: Account): string =>
  [environment, apiUrl, accountKey].join(' ');
