import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  cardRails,
  forgetCardAccount,
  ownCardEventsPath,
  saveCardAccount,
  setCardAccount,
} from '../../service/src/modules/cards/index.ts';
import { simulatorFolder } from '../../service/src/programs/wiring/simulator-folder.ts';
import { openStripe, readCardRegistration } from '../../service/src/rails/stripe/index.ts';
import { cardPayments } from './card-payments.ts';
import { openSimulatorDatabase } from './database/open-test-database.ts';
import { discardFolder } from './discard-folder.ts';
import { openSandbox } from './open-sandbox.ts';
import { copyTrust } from './simulator/copy-trust.ts';
import { openSimulatorHere } from './simulator/open-simulator-here.ts';
import { waitUntil } from './wait-until.ts';

export type CardAccounts = Awaited<ReturnType<typeof openCardAccounts>>;

const accountKeys = ['acct_first', 'acct_second'] as const;
type AccountKey = (typeof accountKeys)[number];

/**
 * A sandbox whose merchant has two accounts of its own at the card processor: `acct_first` at a simulator
 * of its own, which sends its events to the merchant's own address, `acct_second` at the sandbox's.
 */
export const openCardAccounts = async () => {
  const apiUrls = new Map<string, string>();
  const closing: (() => Promise<void>)[] = [];
  const sandbox = await openSandbox({}, undefined, undefined, (rails, tools) => {
    const stripe = openStripe(tools);
    closing.push(stripe.close);
    const railFor = (account: Parameters<typeof stripe.railFor>[0]) => {
      const apiUrl = apiUrls.get(account.accountKey ?? '') ?? account.apiUrl;
      return stripe.railFor({ ...account, ...(apiUrl && { apiUrl }) });
    };
    const trust = join(simulatorFolder(tools.config.dataFolder), 'trust');
    const shared = { sharedSandboxAccount: () => readCardRegistration(trust) };
    // What a program caches for seconds, it caches here for a moment.
    const clock = { ...tools.clock, now: () => new Date(Date.now() * 50) };
    return { ...rails, cardRails: cardRails({ ...tools, clock, railFor, ...shared }) };
  });
  const first = await openFirst(`${sandbox.url}${ownCardEventsPath(sandbox.tenant)}`);
  const keysOf = async (accountKey: AccountKey) => {
    const folder = accountKey === 'acct_first' ? first.folder : sandbox.folder;
    const found = await readCardRegistration(join(simulatorFolder(folder), 'trust'));
    if (!found?.apiUrl) throw new Error('the simulator has no cards');
    apiUrls.set(accountKey, found.apiUrl);
    const { secretKey, webhookSecret } = found;
    return { accountKey, secretKey, webhookSecret };
  };
  const keys = {
    acct_first: await keysOf('acct_first'),
    acct_second: await keysOf('acct_second'),
  };
  const { rails, tools, tenant } = sandbox;
  return {
    sandbox,
    keys,
    /** Payments of the merchant; `control` is that of the account in its name. */
    first: cardPayments({ ...sandbox, folder: first.folder, simulator: first.simulator }),
    second: cardPayments(sandbox),
    /** As by `npm run card-account`; every program follows. */
    use: async (accountKey: AccountKey): Promise<void> => {
      await setCardAccount(tools, tenant, keys[accountKey]);
      await waitUntil(async () => (await rails.cardRails.find(tenant))?.accountKey === accountKey);
    },
    /** As by `card-account forget`, forced. */
    forget: async (accountKey: AccountKey): Promise<void> => {
      await forgetCardAccount(tools, tenant, accountKey);
      await waitUntil(async () => !(await rails.cardRails.findAccount(tenant, accountKey)));
    },
    /** As by `card-account former`. */
    save: (accountKey: AccountKey) => saveCardAccount(tools, tenant, keys[accountKey]),
    close: async () => {
      await sandbox.close();
      await first.close();
      for (const close of closing) await close();
    },
  };
};

const openFirst = async (cardEventsUrl: string) => {
  const folder = await mkdtemp(join(tmpdir(), 'florin-account-'));
  const database = await openSimulatorDatabase();
  await copyTrust(join(simulatorFolder(folder), 'trust'));
  const simulator = await openSimulatorHere({
    SIMULATOR_DATABASE_URL: database.url,
    SIMULATOR_TRUST_FOLDER: join(simulatorFolder(folder), 'trust'),
    SIMULATOR_REDIRECT_URIS: 'http://127.0.0.1:9/bank-return',
    SIMULATOR_CARDS_WEBHOOK_URLS: cardEventsUrl,
  });
  const close = async () => {
    await simulator.stop();
    await database.close();
    await discardFolder(folder);
  };
  return { folder, simulator, close };
};
