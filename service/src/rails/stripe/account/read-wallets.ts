import type Stripe from 'stripe';
import type { Account } from './account.ts';
import { callProcessor } from './call-processor.ts';

type Configuration = Stripe.PaymentMethodConfiguration;

/** What the processor's page offers on a device that has it, by name; null: it is not known. */
export const readWallets = async (account: Account): Promise<readonly string[] | null> => {
  const call = { operation: 'read wallets', subject: 'own' };
  const answer = await callProcessor(account, call, (stripe) =>
    stripe.paymentMethodConfigurations.list({ limit: 100 }),
  );
  if (answer.kind !== 'ANSWER') return null;
  const isLive = account.settings.environment === 'PRODUCTION';
  const own = answer.value.data.find((each) => each.livemode === isLive && isPagesOwn(each));
  return own ? walletsIn(own) : null;
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
