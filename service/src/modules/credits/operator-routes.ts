import {
  failures,
  listCredits as listOperation,
  matchCredit,
  type listCredits as operation,
  type QueryOf,
  type ReplyOf,
} from '@florin/contract';
import { tenantIn } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import { isUuid } from '#kernel/is-uuid.ts';
import { pence, poundsText } from '#kernel/pence.ts';
import { resolveCaseOf } from '#modules/operator-cases/index.ts';
import { type Attempt, loadPayment, settleByCredit, totalPence } from '#modules/payments/index.ts';
import { badField } from '#platform/http/error-reply.ts';
import { operatorRoute, type Route } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import { type CreditStatus, creditLifecycle } from './credit-lifecycle.ts';
import { type CreditTools, isLinked, type PaymentOfCredit } from './credits.ts';
import { type CreditRow, listCreditRows, matchCreditRow, readCredit } from './store/credits.ts';

type Page = Pick<QueryOf<typeof operation>, 'page' | 'size'>;

/** The newest first. */
export const listCredits = async (
  { database }: Uses<'database'>,
  status: CreditStatus | null,
  { page, size }: Page,
): Promise<ReplyOf<typeof operation>> => {
  const rows = await database.system(listCreditRows, { status, limit: size, skipped: page * size });
  const data = rows.flatMap((row) => (row.credit_id === null ? [] : [creditView(row)]));
  return { page, size, data, totalCount: rows[0]?.total ?? 0 };
};

type CreditView = ReturnType<typeof creditView>;

const creditView = (row: CreditRow) => ({
  creditId: row.credit_id,
  environment: row.environment,
  status: row.status,
  amount: poundsText(pence(row.amount_pence)),
  currency: 'GBP',
  bankReference: row.bank_reference,
  bookedOn: row.booked_on,
  endToEndId: row.end_to_end_id,
  payerName: row.payer_name,
  remittance: row.remittance,
  reason: row.unmatched_reason,
  merchantId: row.merchant_id,
  paymentRequestId: row.payment_request_id,
  attemptId: row.attempt_id,
  matchedBy: row.matched_by,
  matchedAt: row.matched_at?.toISOString() ?? null,
  receivedAt: row.received_at.toISOString(),
});

type OperatorMatch = Omit<PaymentOfCredit, 'matchedBy'> & {
  /** How the operator knows. It ends the case. */
  readonly evidence: string;
  readonly actor: string;
};

/** What a person found out about a credit that no payment explained. */
export const matchByOperator = async (
  tools: CreditTools,
  creditId: string,
  { actor, evidence, ...target }: OperatorMatch,
): Promise<CreditView> => {
  if (evidence.trim() === '')
    throw badField('evidence', 'evidence is needed', 'evidence is needed.');
  const credit = await requireUnmatched(tools, creditId);
  const payment = { ...target, matchedBy: 'OPERATOR' as const };
  if (credit.environment !== target.tenant.environment) throw otherEnvironment();
  requirePaid(credit, await findTarget(tools, target));
  if (!(await isLinked(tools, credit, payment)))
    throw new Failure(failures.conflict, { message: 'The payment has another credit already.' });
  const effect = await settleByCredit(tools, target.tenant, payment);
  if (effect !== 'SETTLED') throw notPaid();
  const toStatus = creditLifecycle.next(credit.status, 'matchedByOperator') ?? credit.status;
  const values = { creditId, fromStatus: credit.status, toStatus };
  const [row] = await tools.database.system(matchCreditRow, values);
  if (!row) throw notUnmatched();
  await resolveCaseOf(tools, 'CREDIT_UNMATCHED', creditId, { actor, resolution: evidence });
  return creditView(row);
};

const requireUnmatched = async (tools: CreditTools, creditId: string): Promise<CreditRow> => {
  const [credit] = isUuid(creditId) ? await tools.database.system(readCredit, { creditId }) : [];
  if (!credit) throw new Failure(failures.notFound, { message: 'No credit has this id.' });
  if (!creditLifecycle.next(credit.status, 'matchedByOperator')) throw notUnmatched();
  return credit;
};

const findTarget = async (
  { database }: CreditTools,
  { tenant, paymentRequestId, attemptId }: Omit<PaymentOfCredit, 'matchedBy'>,
): Promise<Attempt> => {
  const payment = isUuid(paymentRequestId)
    ? await loadPayment(database, tenant, paymentRequestId)
    : null;
  const attempt = payment?.attempts.find((one) => one.attemptId === attemptId);
  if (attempt) return attempt;
  throw new Failure(failures.notFound, { message: 'No payment of this merchant has these ids.' });
};

const requirePaid = (credit: CreditRow, attempt: Attempt): void => {
  if (attempt.settlesTo !== 'COLLECTING_ACCOUNT' || attempt.status !== 'COMPLETED') throw notPaid();
  if (totalPence(attempt) !== credit.amount_pence)
    throw new Failure(failures.invalidState, {
      message: 'The credit has another amount than the payment.',
    });
};

const otherEnvironment = (): Failure =>
  new Failure(failures.environmentMismatch, {
    message: 'The credit and the payment belong to different environments.',
  });

const notPaid = (): Failure =>
  new Failure(failures.invalidState, {
    message: 'Only a COMPLETED payment to the collecting account has a credit.',
  });

const notUnmatched = (): Failure =>
  new Failure(failures.invalidState, {
    message: 'Only an UNMATCHED credit can be matched by hand.',
  });

export const operatorRoutes = (tools: CreditTools): readonly Route[] => [
  operatorRoute(listOperation, ({ query }) => listCredits(tools, query.status ?? null, query)),
  operatorRoute(matchCredit, ({ params, body }, { name }) => {
    const { paymentRequestId, attemptId, evidence } = body;
    const match = { tenant: tenantIn(body), paymentRequestId, attemptId, evidence, actor: name };
    return matchByOperator(tools, params.creditId, match);
  }),
];
