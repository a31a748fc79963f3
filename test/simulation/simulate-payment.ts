import { Failure } from '../../service/src/kernel/failure.ts';
import type { CardRails } from '../../service/src/modules/cards/index.ts';
import { finishAuthorisation, startBankPayment } from '../../service/src/modules/checkout/index.ts';
import { createMerchant } from '../../service/src/modules/merchants/index.ts';
import {
  bankRails,
  cancelPaymentRequest,
  extendTime,
  findOwnPayment,
  paymentJobs,
  paymentsDue,
} from '../../service/src/modules/payments/index.ts';
import { requestPayment } from '../../service/src/modules/payments/requests/request-payment.ts';
import { advanceClock } from '../../service/src/modules/sandbox/index.ts';
import type { Tools } from '../../service/src/platform/tools.ts';
import type { BankRail } from '../../service/src/rails/bank-rail.ts';
import { noCardRails } from '../harness/no-card-rails.ts';
import { testBankAccounts } from '../harness/open-test-service.ts';
import { openStepper, type Process, type Stepper } from './open-stepper.ts';
import { scriptedBank, scriptedBankId } from './scripted-bank.ts';
import { type Random, seededIds, seededRandom } from './seeded-random.ts';
import { steppedDatabase } from './stepped-database.ts';

const amountPounds = 100;
const day = 24 * 3_600_000;

/** One payment request with everything that can happen to it, in the order that the seed decides. */
export const simulatePayment = async (
  tools: Tools,
  seed: number,
  /** Checked at the end, when the run has not come to rest. */
  stillTrue: (merchantId: string) => Promise<readonly string[]>,
) => {
  const random = seededRandom(seed);
  const weather = { kill: random.pick([0, 0.01, 0.04]), faultShare: random.pick([0, 0.05, 0.2]) };
  const stepper = openStepper(random, () => weather.kill);
  const ids = seededIds(seededRandom(seed ^ 0x5eed));
  const completedAtSettlement = random.chance(0.25);
  const bank = scriptedBank(random, {
    faultShare: () => weather.faultShare,
    endsSettled: completedAtSettlement,
    maxPence: BigInt(amountPounds * 100),
  });
  const merchant = await createMerchant(
    { ...tools, ids },
    { businessName: `Seed ${seed}`, bankAccounts: testBankAccounts, completedAtSettlement },
  );
  const simulation: Simulation = {
    random,
    stepper,
    bank,
    tenant: { merchantId: merchant.merchantId, environment: 'SANDBOX' },
    secretId: merchant.secrets.SANDBOX.secretId,
    toolsOf: (process) => ({
      ...tools,
      ids,
      database: steppedDatabase(stepper, process, tools.database),
      bankRails: railsOf(steppedRail(stepper, process, bank.rail)),
      cardRails: noCardRails,
    }),
    splitsBill: random.chance(0.35),
    paymentRequestId: '',
  };
  simulation.paymentRequestId = await makeRequest(simulation);
  startEverything(simulation);
  await stepper.runAll();
  const brokenMeanwhile = await stillTrue(merchant.merchantId);
  Object.assign(weather, { kill: 0, faultShare: 0 });
  await comeToRest(simulation, tools);
  const { paymentRequestId, tenant } = simulation;
  return { paymentRequestId, tenant, bank, stepper, brokenMeanwhile };
};

type Simulation = {
  readonly random: Random;
  readonly stepper: Stepper;
  readonly bank: ReturnType<typeof scriptedBank>;
  readonly tenant: { readonly merchantId: string; readonly environment: 'SANDBOX' };
  readonly secretId: string;
  readonly toolsOf: (
    process: Process,
  ) => Tools & { bankRails: ReturnType<typeof bankRails>; cardRails: CardRails };
  readonly splitsBill: boolean;
  paymentRequestId: string;
};

const railsOf = (rail: BankRail) =>
  bankRails({ SANDBOX: rail, PRODUCTION: null }, { SANDBOX: 'S', PRODUCTION: 'P' });

const steppedRail = (stepper: Stepper, process: Process, rail: BankRail): BankRail => ({
  institutions: rail.institutions,
  health: rail.health,
  createConsent: (order) => stepper.step(process, 'createConsent', () => rail.createConsent(order)),
  readReturn: (state, parameters) =>
    stepper.step(process, 'readReturn', () => rail.readReturn(state, parameters)),
  exchange: (state, code) => stepper.step(process, 'exchange', () => rail.exchange(state, code)),
  submit: (state) => stepper.step(process, 'submit', () => rail.submit(state)),
  resolveSubmission: (state) =>
    stepper.step(process, 'resolveSubmission', () => rail.resolveSubmission(state)),
  readPayment: (state) => stepper.step(process, 'readPayment', () => rail.readPayment(state)),
});

const makeRequest = async (simulation: Simulation): Promise<string> => {
  const { random, tenant, secretId } = simulation;
  const merchant: Process = { name: 'merchant', isDead: false };
  let made = '';
  simulation.stepper.start({ ...merchant, isDead: false }, async () => {
    const quiet = { ...simulation.toolsOf(merchant), publicUrl: 'http://x' };
    const by = { kind: 'secret' } as const;
    const caller = { tenant, secretId, redirectUrl: null, isReadOnly: false, by };
    const order = {
      customerId: `c-${tenant.merchantId}`.slice(0, 50),
      orderId: 'order',
      amount: amountPounds,
      expiresIn: random.pick([random.pick([1, 2_000]), 60_000, 180_000, 180_000, 180_000]),
      strictExpiry: random.chance(0.3),
      allowRetry: !random.chance(0.2),
      splitBill: simulation.splitsBill,
    };
    const reply = await requestPayment(quiet, caller, order, null);
    made = 'paymentRequestId' in reply ? String(reply.paymentRequestId) : '';
  });
  await simulation.stepper.runAll();
  return made === '' ? makeRequest(simulation) : made;
};

const startEverything = (simulation: Simulation): void => {
  const { random, stepper } = simulation;
  const run = (name: string, work: (process: Process) => Promise<unknown>) => {
    const process = { name, isDead: false };
    stepper.start(process, () => work(process).catch(forgiveRefusal));
  };
  for (let tab = 1; tab <= 1 + random.below(4); tab += 1)
    run(`tab${tab}`, (process) => payInTab(simulation, process, run));
  for (let worker = 1; worker <= 2; worker += 1) run(`worker${worker}`, (p) => work(simulation, p));
  if (random.chance(0.15)) run('merchant', (p) => cancel(simulation, p));
  if (random.chance(0.3)) run('payer', (p) => moreTime(simulation, p));
  run('clock', (process) => moveClock(simulation, process));
};

/** A refusal is an answer, not a failure of the run. */
const forgiveRefusal = (error: unknown): void => {
  if (!(error instanceof Failure)) throw error;
};

type Run = (name: string, work: (process: Process) => Promise<unknown>) => void;

const payInTab = async (simulation: Simulation, process: Process, run: Run): Promise<void> => {
  const { random, bank, tenant } = simulation;
  for (let pause = random.below(12); pause > 0; pause -= 1)
    await simulation.stepper.step(process, 'reads the page', async () => undefined);
  const tools = simulation.toolsOf(process);
  const requested = await findOwnPayment(tools, tenant, simulation.paymentRequestId);
  const started = await startBankPayment(tools, requested, {
    institutionId: scriptedBankId,
    ...(simulation.splitsBill && random.chance(0.7)
      ? { share: { kind: 'EQUAL', paysFor: 1, people: 3 } as const }
      : {}),
  });
  if (started.kind !== 'AT_BANK') return;
  const { oauthState } = started.attempt;
  const consent = bank.consents.get(started.authorisationUrl.split('/').at(-1) ?? '');
  if (!consent || !oauthState || random.chance(0.1)) return;
  await simulation.stepper.step(process, 'visits the bank', async () => undefined);
  const parameters = bank.decide(consent, oauthState);
  for (let browser = 1; browser <= 1 + random.below(3); browser += 1)
    run(`${process.name}.return${browser}`, async (returning) => {
      for (let reload = 0; reload < 3; reload += 1) {
        const tools = simulation.toolsOf(returning);
        const finished = await finishAuthorisation(tools, parameters, oauthState);
        if (finished.kind !== 'UNVERIFIED') return;
      }
    });
};

const work = async (simulation: Simulation, process: Process): Promise<void> => {
  const jobs = paymentJobs(simulation.toolsOf(process));
  for (let round = 0; round < 12; round += 1)
    await simulation.random.pick([
      jobs.pollBanks,
      jobs.closeAbandonedAttempts,
      jobs.expirePaymentRequests,
    ])();
};

const cancel = async (simulation: Simulation, process: Process): Promise<void> => {
  for (let pause = simulation.random.below(30); pause > 0; pause -= 1)
    await simulation.stepper.step(process, 'thinks', async () => undefined);
  await cancelPaymentRequest(
    simulation.toolsOf(process),
    simulation.tenant,
    simulation.paymentRequestId,
  );
};

const moreTime = (simulation: Simulation, process: Process) =>
  extendTime(simulation.toolsOf(process), simulation.tenant, simulation.paymentRequestId);

const advances = [1, 800, 800, 1_500, 5_000, 31_000, 61_000, 200_000, 31 * 60_000] as const;

const moveClock = async (simulation: Simulation, process: Process): Promise<void> => {
  for (let move = 0; move < 5; move += 1) {
    for (let pause = simulation.random.below(20); pause > 0; pause -= 1)
      await simulation.stepper.step(process, 'waits', async () => undefined);
    const tools = simulation.toolsOf(process);
    // Real time passes: a process still at work has outlived its lease.
    if (simulation.random.chance(0.3)) await tools.database.system(endLeases, {});
    await advanceClock(
      tools,
      [paymentsDue(tools)],
      simulation.tenant,
      simulation.random.pick(advances),
    );
  }
};

/** Failures end; leases of dead processes run out, and eleven days go by. */
const comeToRest = async (simulation: Simulation, tools: Tools): Promise<void> => {
  const calm = { ...tools, bankRails: railsOf(simulation.bank.rail), cardRails: noCardRails };
  await tools.database.system(endLeases, {});
  await advanceClock(calm, [paymentsDue(calm)], simulation.tenant, 11 * day);
};

const endLeases = {
  name: 'simulation_end_leases',
  text: `with leased as (
      update attempt_poll set leased_until = null where leased_until is not null),
      put_off as (delete from work_lease)
    update attempt set leased_until = null where leased_until is not null`,
  valueNames: [],
};
