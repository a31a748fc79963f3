import { type Environment, environments } from '../../../service/src/kernel/environment.ts';
import { pence } from '../../../service/src/kernel/pence.ts';
import { sql } from '../../../service/src/platform/database/sql.ts';
import { statement } from '../../../service/src/platform/database/statement.ts';
import type { IncomingMessage, StatementEntry } from '../../../service/src/rails/transfer-rail.ts';
import { advance } from '../scripted-bank.ts';
import type { Reports } from './open-reports.ts';
import type { Booking, ReportStep, Story } from './report-steps.ts';

const paidPence = 7_701n;
const refundedPence = 3_000n;
const strayPence = 1_313n;
/** More than a debit is tried, and more than a credit is looked for. */
const roundsUntilGivenUp = 16;

let stories = 0;
let messages = 0;

/** Lets the banks do what the story says, and then everything be reported and done. */
export const tellStory = async (reports: Reports, { script, steps, readsFirst }: Story) => {
  stories += 1;
  const merchant = await reports.openMerchant();
  const payment = await reports.pay(merchant, paidPence, script);
  const world = {
    ...{ reports, merchant, payment },
    // Of one story, so that equal entries of two stories are none of one day.
    day: new Date(Date.UTC(2001, 0, stories)).toISOString().slice(0, 10),
    entries: { SANDBOX: [], PRODUCTION: [] } as Record<Environment, StatementEntry[]>,
    notified: { SANDBOX: 0, PRODUCTION: 0 } as Record<Environment, number>,
    late: [] as (() => void)[],
  };
  for (const step of steps) await take(world, step);
  await reports.work();
  for (const send of world.late) send();
  for (const environment of environments) sendReport(world, environment, 'INTRADAY', true);
  if (readsFirst) await reports.work();
  for (const _ of script) await take(world, { kind: 'PAYMENT_STATUS' });
  for (let round = 0; round < roundsUntilGivenUp; round += 1) {
    await reports.database.system(makeDue, {});
    await reports.work();
  }
  return { payment, merchant, entries: world.entries };
};

type World = {
  readonly reports: Reports;
  readonly merchant: Awaited<ReturnType<Reports['openMerchant']>>;
  readonly payment: Awaited<ReturnType<Reports['pay']>>;
  readonly day: string;
  readonly entries: Readonly<Record<Environment, StatementEntry[]>>;
  readonly notified: Record<Environment, number>;
  readonly late: (() => void)[];
};

const take = async (world: World, step: ReportStep): Promise<void> => {
  const { reports, merchant, payment } = world;
  if (step.kind === 'WORK') await reports.work();
  else if (step.kind === 'BOOK') book(world, step);
  else if (step.kind === 'PAYMENT_STATUS') {
    advance(payment.atBank);
    await payment.poll();
  } else if (step.kind === 'REFUND') {
    const body = {
      paymentRequestId: payment.paymentRequestId,
      amount: Number(refundedPence) / 100,
    };
    await reports.request('POST', '/api/refund', { secret: merchant.secret, body });
  } else if (step.isLate) world.late.push(() => say(world, step));
  else say(world, step);
};

const say = (
  world: World,
  step: Extract<ReportStep, { readonly kind: 'REPORT' | 'TRANSFER_STATUS' }>,
): void => {
  if (step.kind === 'TRANSFER_STATUS') sendStatus(world, step.stage);
  else
    for (const environment of environments)
      for (let copy = 0; copy < step.copies; copy += 1)
        sendReport(world, environment, step.list, false);
};

const orderOf = ({ reports, merchant }: World) => {
  const own = reports.accounts.SANDBOX.batches.filter(({ transfers }) =>
    transfers.some(({ onBehalfOf }) => onBehalfOf?.id === merchant.tenant.merchantId),
  );
  const batch = own.at(-1);
  const transfer = batch?.transfers[0];
  return batch && transfer ? { messageId: batch.messageId, ...transfer } : null;
};

const amounts = { PAYMENT: paidPence, REFUND: refundedPence, STRAY: strayPence } as const;

const otherBy = (isMore = false): bigint => (isMore ? 100n : -100n);

const book = (
  world: World,
  { subject, what, isOtherAmount, isMore, isElsewhere, hasReference }: Booking,
): void => {
  const order = orderOf(world);
  if (subject === 'REFUND' && !order) return;
  const environment = isElsewhere ? 'PRODUCTION' : 'SANDBOX';
  const ids = {
    ...{ PAYMENT: world.payment.atBank.endToEndId, REFUND: order?.endToEndId ?? null },
    STRAY: null,
  };
  messages += 1;
  const entry: StatementEntry = {
    entryReference: hasReference ? `REF-${messages}` : null,
    direction: what === 'DEBIT' ? 'DEBIT' : 'CREDIT',
    status: 'BOOKED',
    amountPence: pence(amounts[subject] + (isOtherAmount ? otherBy(isMore) : 0n)),
    bookedOn: world.day,
    endToEndId: ids[subject],
    counterparty: { name: null, sortCode: null, accountNumber: null },
    remittance: null,
    isReversal: subject === 'PAYMENT' && what === 'DEBIT',
    returned: what === 'RETURN' ? { code: 'AC04', description: 'Closed.' } : null,
  };
  world.entries[environment].push(entry);
  world.reports.accounts[environment].booked.push(entry);
};

const send = (world: World, environment: Environment, said: Said): void => {
  messages += 1;
  const reference = `R-${messages}`;
  world.reports.accounts[environment].waiting.push({ ...said, reference } as IncomingMessage);
};
type Said = Omit<IncomingMessage, 'reference'> & Record<string, unknown>;

const sendReport = (
  world: World,
  environment: Environment,
  list: 'INTRADAY' | 'NOTIFICATION',
  isLast: boolean,
): void => {
  const own = world.entries[environment];
  const entries = list === 'INTRADAY' ? [...own] : own.slice(world.notified[environment]);
  if (list === 'NOTIFICATION') world.notified[environment] = own.length;
  if (entries.length === 0 && !isLast) return;
  const { reports } = world;
  send(world, environment, {
    ...{ kind: 'ACCOUNT_REPORT', list, messageId: `M-${messages}`, createdAt: new Date() },
    account: reports.accountOf(environment),
    bookedBalancePence: isLast ? pence(reports.accounts[environment].balancePence()) : null,
    ...{ entries, unreadable: [], content: null },
  });
};

const sendStatus = (world: World, stage: 'IN_PROGRESS' | 'SETTLED' | 'REJECTED'): void => {
  const order = orderOf(world);
  if (!order) return;
  const { endToEndId, messageId: originalMessageId } = order;
  const isoCode = { IN_PROGRESS: 'ACSP', SETTLED: 'ACSC', REJECTED: 'RJCT' }[stage];
  const reason = stage === 'REJECTED' ? { code: 'AC04', description: 'Closed.' } : null;
  send(world, 'SANDBOX', {
    ...{ kind: 'STATUS_REPORT', messageId: `M-${messages}`, createdAt: new Date() },
    ...{ originalMessageId, batch: null, content: null },
    transfers: [{ endToEndId, stage, isoCode, reason, bankReference: null }],
  });
};

const makeDue = statement<object, never>(
  'test_reports_make_due',
  sql()`
   with held as (update held_payment set until_business_at = 'epoch' where entry_key = ''),
   credit as (update account_credit set due_at = now() where status = 'OPEN'),
   debit as (update account_debit set due_at = now() where due_at is not null),
   refund as (update refund set due_at = now() where due_at is not null and step = 'WAITING')
   update transfer_batch set due_at = now(), leased_until = null where status = 'OPEN'`,
  { guardedBy: 'nothing: no program runs' },
);
