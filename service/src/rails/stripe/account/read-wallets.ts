import type Stripe from 'stripe';
import { setBounded } from '#kernel/set-bounded.ts';
import type { CardsAccepted } from '#rails/card-rail.ts';
import { type Account, callProcessor } from './call-processor.ts';
import { walletAccountsMax, walletsLifeMs, walletsReadAgainMs } from './settings.ts';

type Configuration = Stripe.PaymentMethodConfiguration;

/** What the processor's page offers on a device that has it, by name; null: it is not known. */
const readWallets = async (account: Account): Promise<readonly string[] | null> => {
  const call = { operation: 'read wallets', subject: 'own' };
  const answer = await callProcessor(account, call, (stripe) =>
    stripe.paymentMethodConfigurations.list({ limit: 100 }),
  );
  if (answer.kind !== 'ANSWER') return null;
  const isLive = account.settings.environment === 'PRODUCTION';
  const own = answer.value.data.find((each) => each.livemode === isLive && isPagesOwn(each));
  return own ? walletsIn(own) : null;
};

/** What a statement calls a charge that gives no name of its own, as ours do; null: it is not known. */
const readStatementName = async (account: Account): Promise<string | null> => {
  const call = { operation: 'read statement name', subject: 'own' };
  const answer = await callProcessor(account, call, (stripe) => stripe.accounts.retrieveCurrent());
  if (answer.kind !== 'ANSWER') return null;
  return answer.value.settings?.payments?.statement_descriptor || null;
};

/** Our pages name no configuration: the default applies, and not one of a platform's application. */
const isPagesOwn = ({ active, is_default, application }: Configuration): boolean =>
  active && is_default && application === null;

/** `available`: switched on, and the account may take it. */
const walletsIn = (configuration: Configuration): readonly string[] =>
  wallets.flatMap(([member, name]) => {
    const method = (configuration as Methods)[member];
    return method?.available === true ? [name] : [];
  });

type Methods = { readonly [member in Wallet]?: { readonly available: boolean } };

type Wallet = (typeof wallets)[number][0];

const wallets = [
  ['apple_pay', 'Apple Pay'],
  ['google_pay', 'Google Pay'],
  // Of the simulated processor only.
  ['test_wallet', 'Test wallet'],
] as const;

export type KnownAccounts = ReturnType<typeof knownAccounts>;

type Known = Pick<CardsAccepted, 'wallets' | 'statementName'>;

const nothing: Known = { wallets: [], statementName: null };

type Entry = {
  known: Known;
  /** When the processor gave the wallets; null: not yet. */
  knownAtMs: number | null;
  /** The last call, answered or not. */
  calledAtMs: number;
};

/** What pages say of each account, as its processor last said; a page that says it has it read. */
export const knownAccounts = () => {
  const entries = new Map<string, Entry>();
  const reading = new Set<Promise<void>>();
  const read = async (account: Account, entry: Entry): Promise<void> => {
    const statementName = (await readStatementName(account)) ?? entry.known.statementName;
    const wallets = await readWallets(account);
    if (!wallets) return;
    entry.known = { wallets, statementName };
    entry.knownAtMs = account.tools.clock.now().getTime();
  };
  /** Without the network: a payer never waits for it. Unknown or too old: nothing. */
  const of = (account: Account): Known => {
    const nowMs = account.tools.clock.now().getTime();
    const key = keyOf(account);
    const entry = entries.get(key) ?? { known: nothing, knownAtMs: null, calledAtMs: -Infinity };
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
    return isFresh ? entry.known : nothing;
  };
  return { of, close: async (): Promise<void> => void (await Promise.all(reading)) };
};

const keyOf = ({ settings: { environment, apiUrl, accountKey } }: Account): string =>
  [environment, apiUrl, accountKey].join(' ');
