import type { Environment, Tenant } from '../../../service/src/kernel/environment.ts';
import { pence } from '../../../service/src/kernel/pence.ts';
import {
  finishAuthorisation,
  startBankPayment,
} from '../../../service/src/modules/checkout/index.ts';
import * as credits from '../../../service/src/modules/credits/index.ts';
import * as ledger from '../../../service/src/modules/ledger/index.ts';
import * as operatorCases from '../../../service/src/modules/operator-cases/index.ts';
import * as payments from '../../../service/src/modules/payments/index.ts';
import * as refunds from '../../../service/src/modules/refunds/index.ts';
import { transferJobs, transferRails } from '../../../service/src/modules/transfers/index.ts';
import type { Tools } from '../../../service/src/platform/tools.ts';
import { reportReceivers } from '../../../service/src/programs/wiring/report-receivers.ts';
import type {
  IncomingMessage,
  StatementEntry,
  TransferBatch,
  TransferRail,
} from '../../../service/src/rails/transfer-rail.ts';
import { noCardRails } from '../../harness/no-card-rails.ts';
import { openTestService, testBankAccounts } from '../../harness/open-test-service.ts';
import { modelAccounts } from '../money/open-stores.ts';
import { scriptedBank, scriptedBankId } from '../scripted-bank.ts';
import { seededRandom } from '../seeded-random.ts';

export type Reports = Awaited<ReturnType<typeof openReports>>;

const names = { SANDBOX: '', PRODUCTION: '' } as const;
const productionAccount = { sortCode: '107999', accountNumber: '88837491' };
const productionSetting = `${productionAccount.sortCode} ${productionAccount.accountNumber} Florin`;

/** The account of one environment at its bank: what it has booked, and the messages we have not read. */
const openAccount = () => {
  const booked: StatementEntry[] = [];
  const waiting: IncomingMessage[] = [];
  const batches: TransferBatch[] = [];
  const take = async (batch: TransferBatch) => {
    if (!batches.some(({ messageId }) => messageId === batch.messageId)) batches.push(batch);
    return { kind: 'SUBMITTED' } as const;
  };
  const rail: TransferRail = {
    submit: take,
    resolveSubmission: take,
    readMessages: async (limit) => ({ kind: 'MESSAGES', messages: waiting.slice(0, limit) }),
    acknowledge: async (reference) => {
      const at = waiting.findIndex((message) => message.reference === reference);
      if (at >= 0) waiting.splice(at, 1);
      return { kind: 'ACKNOWLEDGED' };
    },
    readAgain: () => {
      throw new Error('it keeps no content');
    },
    reopenMessages: async () => ({ kind: 'REOPENED', messages: 0 }),
    readNotice: null,
  };
  const balancePence = (): bigint =>
    booked.reduce(
      (sum, { direction, amountPence }) =>
        direction === 'CREDIT' ? sum + amountPence : sum - amountPence,
      0n,
    );
  return { booked, waiting, batches, rail, balancePence };
};

/** The product over HTTP and a database, with a bank of payers and the accounts in memory. */
export const openReports = async () => {
  const next = { script: ['ACSC'] as readonly string[], showsPayer: true };
  const bank = scriptedBank(seededRandom(1), {
    faultShare: () => 0,
    endsSettled: false,
    maxPence: 10n ** 12n,
    steered: next,
  });
  const accounts = { SANDBOX: openAccount(), PRODUCTION: openAccount() };
  const rails = {
    bankRails: payments.bankRails({ SANDBOX: bank.rail, PRODUCTION: null }, names),
    cardRails: noCardRails,
    transferRails: transferRails((environment) => accounts[environment].rail, names),
  };
  const service = await openTestService({
    settings: {
      PRODUCTION_COLLECTING_ACCOUNT: productionSetting,
    },
    routes: (tools: Tools) => {
      const chargeSender = payments.chargeSender({ ...tools, ...rails });
      const all = { ...tools, ...rails, chargeSender, publicUrl: 'https://pay.example' };
      return [
        ...payments.merchantRoutes(all),
        ...refunds.merchantRoutes(all),
        ...operatorCases.operatorRoutes(all),
        ...ledger.operatorRoutes(all),
      ];
    },
  });
  const all = { ...service.tools, ...rails, receivers: reportReceivers(service.tools) };
  const { secret } = await service.newOperator('Ada');

  const openMerchant = async () => {
    const merchant = await service.newMerchant({
      bankAccounts: { ...testBankAccounts, SANDBOX: modelAccounts[0] },
    });
    const tenant: Tenant = { merchantId: merchant.merchantId, environment: 'SANDBOX' };
    return { tenant, secret: merchant.secrets.SANDBOX.secret };
  };

  /** Requested over HTTP, approved at the bank. */
  const pay = async (
    { tenant, secret: own }: Awaited<ReturnType<typeof openMerchant>>,
    amountPence: bigint,
    script: readonly string[],
  ) => {
    next.script = script;
    const body = { customerId: 'c', orderId: 'o', amount: Number(amountPence) / 100 };
    const sent = { secret: own, body: { ...body, expiresIn: 30 * 86_400_000 } };
    const made = await service.request('POST', '/api/payments/process-payment', sent);
    const { paymentRequestId } = made.body;
    const requested = await payments.findOwnPayment(all, tenant, paymentRequestId);
    const started = await startBankPayment(all, requested, {
      ...{ institutionId: scriptedBankId, tipPence: pence(0n) },
    });
    if (started.kind !== 'AT_BANK') throw new Error(JSON.stringify(made.body));
    const consent = bank.consents.get(started.authorisationUrl.split('/').at(-1) ?? '');
    const { oauthState, attemptId } = started.attempt;
    if (!consent || !oauthState) throw new Error('the bank knows no consent');
    Object.assign(consent, { status: 'AUTHORISED', code: `code-${consent.id}` });
    await finishAuthorisation(all, { code: `code-${consent.id}`, state: oauthState }, oauthState);
    const atBank = bank.payments.find(({ consentId }) => consentId === consent.id);
    if (!atBank) throw new Error('the bank has no payment');
    return {
      ...{ paymentRequestId, attemptId, atBank },
      poll: () => payments.pollBank(all, bank.rail, tenant, paymentRequestId, attemptId),
    };
  };

  const jobs = [
    () => refunds.refundJobs(all).handOverRefunds(),
    () => transferJobs(all).submitBatches(),
    ...(['SANDBOX', 'PRODUCTION'] as const).map(
      (environment: Environment) => () => transferJobs(all).readBankMessages(environment),
    ),
    ...credits.creditJobs(all).flatMap(({ name, run }) => (name === 'countCredits' ? [] : [run])),
  ];
  return {
    ...service,
    all,
    accounts,
    accountOf: (environment: Environment) =>
      environment === 'SANDBOX' ? testBankAccounts.SANDBOX : productionAccount,
    openMerchant,
    pay,
    operate: (method: string, path: string) =>
      service.request(method, `/api/operator${path}`, { secret }),
    /** Everything that is due, once. */
    work: async (): Promise<void> => {
      for (const job of jobs) await job();
    },
  };
};
