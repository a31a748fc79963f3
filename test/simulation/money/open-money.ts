import type { Tenant } from '../../../service/src/kernel/environment.ts';
import { Failure } from '../../../service/src/kernel/failure.ts';
import {
  type CardRails,
  ensureProcessorCustomer,
} from '../../../service/src/modules/cards/index.ts';
import { recordCardPayment } from '../../../service/src/modules/cards/test/record-card-payment.ts';
import { creditJobs } from '../../../service/src/modules/credits/index.ts';
import { createCustomer } from '../../../service/src/modules/customers/customers.ts';
import { createMerchant, setMerchant } from '../../../service/src/modules/merchants/index.ts';
import {
  bankRails,
  chargeSender,
  paymentsDue,
} from '../../../service/src/modules/payments/index.ts';
import { payoutJobs, payoutsDue } from '../../../service/src/modules/payouts/index.ts';
import { refundJobs, refundsDue } from '../../../service/src/modules/refunds/index.ts';
import { advanceClock } from '../../../service/src/modules/sandbox/index.ts';
import { transferJobs, transferRails } from '../../../service/src/modules/transfers/index.ts';
import { sql } from '../../../service/src/platform/database/sql.ts';
import { statement } from '../../../service/src/platform/database/statement.ts';
import type { Tools } from '../../../service/src/platform/tools.ts';
import { reportReceivers } from '../../../service/src/programs/wiring/report-receivers.ts';
import type { CardRail } from '../../../service/src/rails/card-rail.ts';
import type { TransferRail } from '../../../service/src/rails/transfer-rail.ts';
import { findBrokenInvariants } from '../../harness/invariants/find-broken-invariants.ts';
import { testBankAccounts } from '../../harness/open-test-service.ts';
import { openStepper, type Process, type Stepper } from '../open-stepper.ts';
import { scriptedBank } from '../scripted-bank.ts';
import { seededRandom } from '../seeded-random.ts';
import { steppedDatabase } from '../stepped-database.ts';
import { endCreditLeases, endLeases, forgetCredits, forgetWork } from './end-leases.ts';
import { modelAccounts, openStores } from './open-stores.ts';
import { scriptedHub } from './scripted-hub.ts';
import { scriptedProcessor } from './scripted-processor.ts';

/** How rough it is while operations of one command run together. */
export type Weather = {
  readonly seed: number;
  /** The chance of each step to be the last of its process. */
  readonly kill: number;
  /** The chance of each call to lose its answer, or to do nothing. */
  readonly fault: number;
};

export type MoneyTools = ReturnType<typeof toolsOf>;
export type Operation<Value> = (tools: MoneyTools) => Promise<Value>;
export type Outcome<Value> =
  | { readonly kind: 'DONE'; readonly value: Value }
  | { readonly kind: 'REFUSED'; readonly failure: Failure }
  | { readonly kind: 'KILLED' };

export type Money = Awaited<ReturnType<typeof openMoney>>;

const dayMs = 24 * 3_600_000;

let merchants = 0;

/** The product over one database for one merchant, with a bank, a hub and a processor in memory. */
export const openMoney = async (
  tools: Tools,
  { databaseUrl, provesEach }: { readonly databaseUrl: string; readonly provesEach: boolean },
) => {
  merchants += 1;
  const name = `money ${merchants}`;
  const storm = { random: seededRandom(1), fault: 0, kill: 0 };
  const random = { ...storm.random, chance: (p: number) => p > 0 && storm.random.chance(p) };
  const fault = (): number => storm.fault;
  const next = { script: ['RCVD', 'ACSP', 'ACSC'] as readonly string[], showsPayer: true };
  const outside = {
    bank: scriptedBank(random, {
      faultShare: fault,
      endsSettled: false,
      maxPence: 10n ** 12n,
      steered: next,
    }),
    hub: scriptedHub(`H${merchants}`, random, fault),
    processor: scriptedProcessor(random, fault),
  };
  const merchant = await createMerchant(tools, {
    businessName: name,
    bankAccounts: { ...testBankAccounts, SANDBOX: modelAccounts[0] },
  });
  const tenant = { merchantId: merchant.merchantId, environment: 'SANDBOX' } as const;
  // As much as one transfer may be, so that a payout may take several.
  await setMerchant(tools, merchant.merchantId, { paymentLimit: 1_000_000 });
  const calm = toolsOf(tools, outside);
  const card = await saveCard(calm, tenant, merchants);
  const stores = await openStores(tools, tenant, merchant.storeIds.SANDBOX);

  /** Runs operations in an order that the seed decides, step by step, and may kill some of them. */
  const together = async <Value>(
    { seed, kill, fault: chance }: Weather,
    operations: readonly Operation<Value>[],
  ): Promise<readonly Outcome<Value>[]> => {
    Object.assign(storm, { random: seededRandom(seed), fault: chance });
    const stepper = openStepper(seededRandom(seed ^ 0x5eed), () => kill);
    const outcomes: Outcome<Value>[] = operations.map(() => ({ kind: 'KILLED' }));
    for (const [at, operation] of operations.entries()) {
      const process: Process = { name: `p${at}`, isDead: false };
      stepper.start(process, async () => {
        const outcome = await attempt(operation, toolsOf(tools, outside, { stepper, process }));
        if (!process.isDead) outcomes[at] = outcome;
      });
    }
    await stepper.runAll();
    storm.fault = 0;
    for (const failure of stepper.failures) throw failure;
    return outcomes;
  };

  const sources = [paymentsDue(calm), refundsDue(calm), payoutsDue(calm)];
  const move = (milliseconds: number) => advanceClock(calm, sources, tenant, milliseconds);
  /** Leases of the dead run out, and everything that is due is done. */
  const rest = async (): Promise<void> => {
    for (let round = 0; round < 2; round += 1) {
      await tools.database.tenant(tenant.merchantId, endLeases, tenant);
      await move(7_000);
      const ids = outside.bank.payments.map(({ endToEndId }) => endToEndId);
      // The second time ends what a debit has waited for since the first.
      for (let pass = 0; pass < 2; pass += 1) {
        await tools.database.system(endCreditLeases, { ids });
        for (const job of creditJobsOf(calm)) await job();
      }
    }
  };
  /** Far from the end of a settlement period, which only a command reaches. */
  const moveToEvening = async (): Promise<void> => {
    const now = (await move(0)).now.getTime();
    const evening = new Date(now).setUTCHours(18, 0, 0, 0);
    await move(evening > now ? evening - now : evening - now + dayMs);
  };
  return {
    tools,
    calm,
    tenant,
    caller: {
      tenant,
      secretId: merchant.secrets.SANDBOX.secretId,
      redirectUrl: null,
      isReadOnly: false,
      by: { kind: 'secret' } as const,
    },
    card,
    /** The last has an account of its own. */
    stores,
    ...outside,
    /** What the bank does with the next payment. */
    next,
    /** After each command, or at the end of the sequence only. */
    provesEach,
    findBrokenInvariants: () =>
      findBrokenInvariants(databaseUrl, { merchantId: tenant.merchantId }),
    together,
    move,
    rest,
    moveToEvening,
    /** The next sequence finds nothing of this one to do. */
    cancelWaiting: async () => {
      await tools.database.tenant(tenant.merchantId, forgetWork, tenant);
      await tools.database.system(forgetCredits, {});
    },
  };
};

/** A refusal is an answer of the product. */
const attempt = async <Value>(
  operation: Operation<Value>,
  tools: MoneyTools,
): Promise<Outcome<Value>> => {
  try {
    return { kind: 'DONE', value: await operation(tools) };
  } catch (error) {
    if (error instanceof Failure) return { kind: 'REFUSED', failure: error };
    throw error;
  }
};

type Outside = {
  readonly bank: ReturnType<typeof scriptedBank>;
  readonly hub: ReturnType<typeof scriptedHub>;
  readonly processor: ReturnType<typeof scriptedProcessor>;
};
type Stepped = { readonly stepper: Stepper; readonly process: Process };

const toolsOf = (base: Tools, { bank, hub, processor }: Outside, stepped?: Stepped) => {
  const tools = stepped
    ? { ...base, database: steppedDatabase(stepped.stepper, stepped.process, base.database) }
    : base;
  const { readNotice, readAgain, ...calls } = hub.rail;
  const hubRail: TransferRail = { ...inSteps(calls, stepped), readNotice, readAgain };
  const cardRail: CardRail = {
    ...processor.rail,
    ...inSteps(pick(processor.rail), stepped),
  };
  const bankRail = { ...bank.rail, ...inSteps(withoutList(bank.rail), stepped) };
  const theOne = async (): Promise<CardRail> => cardRail;
  const cardRails: CardRails = {
    find: theOne,
    need: theOne,
    findAccount: theOne,
    needAccount: theOne,
    listOwn: async () => [cardRail],
    shared: async () => null,
  };
  const all = {
    ...tools,
    bankRails: bankRails({ SANDBOX: bankRail, PRODUCTION: null }, { SANDBOX: '', PRODUCTION: '' }),
    cardRails,
    transferRails: transferRails((environment) => (environment === 'SANDBOX' ? hubRail : null), {
      SANDBOX: '',
      PRODUCTION: '',
    }),
    publicUrl: 'http://florin.test',
    receivers: reportReceivers(tools),
    // Nothing changes at a bank between commands.
    simulatorRail: { advance: async () => undefined, forecast: async () => forecastOf(bank) },
  };
  return { ...all, chargeSender: chargeSender(all) };
};

/** Payments stay as they are until a command moves them. */
const forecastOf = ({ payments }: Outside['bank']) =>
  payments.map(({ consentId, script, reached }) => ({
    id: consentId,
    status: script[reached] ?? '',
    changesInMs: null,
  }));

type Calls = Readonly<Record<string, (...words: never[]) => Promise<unknown>>>;

const inSteps = <Rail extends Calls>(rail: Rail, stepped?: Stepped): Rail => {
  if (!stepped) return rail;
  const { stepper, process } = stepped;
  const calls = Object.entries(rail).map(([name, call]) => [
    name,
    (...words: never[]) => stepper.step(process, name, () => call(...words)),
  ]);
  return Object.fromEntries(calls) as Rail;
};

const pick = ({
  charge,
  resolveCharge,
  readPayment,
  capture,
  resolveCapture,
  ...rest
}: CardRail) => {
  const { cancel, resolveCancel, refund, readRefund } = rest;
  const first = { charge, resolveCharge, readPayment, capture, resolveCapture };
  return { ...first, cancel, resolveCancel, refund, readRefund };
};

const withoutList = ({
  institutions: _,
  health: __,
  events: ___,
  clientIds: ____,
  ...calls
}: Outside['bank']['rail']) => calls;

export const jobsOf = (tools: MoneyTools): readonly (() => Promise<unknown>)[] => {
  const refunds = refundJobs(tools);
  const transfers = transferJobs(tools);
  const payouts = payoutJobs(tools);
  return [
    refunds.handOverRefunds,
    transfers.submitBatches,
    () => transfers.readBankMessages('SANDBOX'),
    payouts.fillPayouts,
    payouts.closePayouts,
    refunds.pollRefunds,
    ...creditJobsOf(tools),
  ];
};

const creditJobsOf = (tools: MoneyTools): readonly (() => Promise<unknown>)[] =>
  creditJobs(tools).flatMap(({ name, run }) => (name === 'countCredits' ? [] : [run]));

type SavedCard = { readonly customerId: string; readonly paymentMethodId: string };

const saveCard = async (tools: MoneyTools, tenant: Tenant, number: number): Promise<SavedCard> => {
  const customer = { fullName: 'Ada Lovelace', email: `ada${number}@example.com` };
  const made = await createCustomer(tools, tenant, customer as never, null);
  const customerId = (made as { readonly id: string }).id;
  await ensureProcessorCustomer(tools, await tools.cardRails.need(tenant), tenant, customerId);
  await recordCardPayment(tools, tenant, { customerId, accountKey: 'model' });
  const [row] = await tools.database.tenant(tenant.merchantId, findCard, tenant);
  return { customerId, paymentMethodId: row?.card_id ?? '' };
};

const findCard = statement<Tenant, { readonly card_id: string }>(
  'test_model_card',
  sql('merchantId', 'environment')`
   select card_id from card where merchant_id = :merchantId and environment = :environment`,
);
