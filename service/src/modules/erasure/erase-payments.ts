import type { Tenant } from '#kernel/environment.ts';
import { isUuid } from '#kernel/is-uuid.ts';
import { pence, poundsText } from '#kernel/pence.ts';
import { decryptPayer } from '#modules/payments/index.ts';
import { refundAccountContext } from '#modules/refunds/index.ts';
import { joinWords, searchWords } from '#modules/search/index.ts';
import { creditorContext } from '#modules/transfers/index.ts';
import type { Uses } from '#platform/tools.ts';
import {
  eraseEventBodies,
  eraseSavedReplies,
  listEventBodies,
  listSavedReplies,
} from './store/events.ts';
import {
  type AttemptRow,
  eraseApprovals,
  eraseCaseTexts,
  eraseDisputeAnswers,
  eraseNameInMessages,
  erasePaymentRows,
  eraseReceipts,
  eraseRefundRows,
  eraseSearchWords,
  eraseTransfer,
  listAttempts,
  listRefunds,
  type RefundRow,
} from './store/payments.ts';

const erased = 'erased';

/** Members of events and replies that say something about a person, and what stands there instead. */
const masks: Readonly<Record<string, (value: unknown) => unknown>> = {
  ...Object.fromEntries(
    ['fullName', 'cardholderName', 'consumerName', 'payerName', 'merchantCustomerReference'].map(
      (name) => [name, () => erased],
    ),
  ),
  ...Object.fromEntries(
    ['email', 'phoneCountryCode', 'phoneNumber', 'address', 'city', 'postcode', 'vatNumber']
      .concat(['consumerDetails', 'customerDetails', 'notes', 'refundNotes', 'redirectUrl'])
      .map((name) => [name, () => null]),
  ),
  // The merchant's own id of the person, or our id of the customer.
  customerId: (value) => (typeof value === 'string' && isUuid(value) ? value : erased),
  callbackParams: () => ({}),
  redirectUrlParams: () => '{}',
  customFields: () => [],
};

/** A stored body without personal data; ids and amounts stay. */
const maskJson = (text: string): string => {
  try {
    return JSON.stringify(masked(JSON.parse(text)));
  } catch {
    return text;
  }
};

const masked = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(masked);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, maskedMember(name, member)]),
  );
};

const maskedMember = (name: string, member: unknown): unknown => {
  // The address of the shop is none of a person.
  if (member === null || name === 'storeDetails') return member;
  return Object.hasOwn(masks, name) ? masks[name]?.(member) : masked(member);
};

type EraseTools = Uses<'database' | 'secrets'>;

/**
 * Takes the personal data out of payments that have ended; amounts and ids stay. Every step may be
 * repeated. False: a bank or processor may still report something with a name, so erase again later.
 */
export const erasePayments = async (
  tools: EraseTools,
  tenant: Tenant,
  ids: readonly string[],
): Promise<boolean> => {
  const { database } = tools;
  const attempts = await database.system(listAttempts, { ...tenant, ids });
  const refunds = await database.system(listRefunds, { ...tenant, ids });
  // First what the names in it are needed for.
  await eraseRefunds(tools, tenant, refunds, namesOf(tools, attempts, refunds));
  await database.system(eraseApprovals, { ...tenant, ids });
  await database.system(eraseDisputeAnswers, { ...tenant, ids });
  await eraseTexts(tools, tenant, ids, attempts, refunds);
  const polled = attempts.filter((each) => each.is_polled).map((each) => each.payment_request_id);
  await database.system(erasePaymentRows, { ...tenant, ids, polled });
  return polled.length === 0 && refunds.every((each) => !each.is_open);
};

const namesOf = (
  { secrets }: EraseTools,
  attempts: readonly AttemptRow[],
  refunds: readonly RefundRow[],
): readonly string[] => {
  const payers = attempts.map((row) =>
    decryptPayer(secrets, { attemptId: row.attempt_id, payerEncrypted: row.payer_encrypted }),
  );
  const accounts = refunds.flatMap((row) => [
    ...opened(secrets, row.account_encrypted, refundAccountContext(row.refund_id)),
    ...opened(secrets, row.creditor_encrypted, creditorContext(row.end_to_end_id ?? '')),
  ]);
  const names = [...payers, ...accounts].map((account) => account?.name ?? '');
  return [...new Set(names)].filter((name) => name !== '');
};

const opened = (
  secrets: EraseTools['secrets'],
  record: Buffer | null,
  context: Parameters<EraseTools['secrets']['decrypt']>[1],
): readonly { readonly name?: string }[] =>
  record === null ? [] : [JSON.parse(secrets.decryptText(record, context))];

const nobodysAccount = JSON.stringify({
  sortCode: '000000',
  accountNumber: '00000000',
  name: 'erased',
});

/** A refund that is under way keeps its account until it has ended. */
const eraseRefunds = async (
  { database, secrets }: EraseTools,
  tenant: Tenant,
  refunds: readonly RefundRow[],
  names: readonly string[],
): Promise<void> => {
  const ended = refunds.filter((each) => !each.is_open);
  for (const { end_to_end_id: endToEndId } of ended) {
    if (endToEndId === null) continue;
    const creditorEncrypted = secrets.encrypt(nobodysAccount, creditorContext(endToEndId));
    await database.system(eraseTransfer, { ...tenant, endToEndId, creditorEncrypted });
    const { environment } = tenant;
    for (const name of [...names, ...names.map(escapedXml)])
      await database.system(eraseNameInMessages, { environment, endToEndId, name });
  }
  const refundIds = ended.map((each) => each.refund_id);
  await database.system(eraseRefundRows, { ...tenant, refundIds });
};

const escapedXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const eraseTexts = async (
  { database }: EraseTools,
  tenant: Tenant,
  ids: readonly string[],
  attempts: readonly AttemptRow[],
  refunds: readonly RefundRow[],
): Promise<void> => {
  const refundIds = refunds.map((each) => each.refund_id);
  const attemptIds = attempts.map((each) => each.attempt_id);
  const bodies = await database.system(listEventBodies, { ...tenant, ids, refundIds });
  const masked = bodies.map((row) => ({ ...row, body: maskJson(row.body) }));
  await database.system(eraseEventBodies, { ...tenant, bodies: JSON.stringify(masked) });
  await eraseReplies({ database }, tenant, [...ids, ...refundIds]);
  const subjects = [...ids, ...attemptIds, ...refundIds];
  await database.system(eraseCaseTexts, { ...tenant, subjects });
  await database.system(eraseReceipts, { ...tenant, attemptIds });
  await database.system(eraseSearchWords, { ...tenant, rows: JSON.stringify(wordsOf(attempts)) });
};

/** Replies that name one of these ids. */
export const eraseReplies = async (
  { database }: Uses<'database'>,
  tenant: Tenant,
  ids: readonly string[],
): Promise<void> => {
  const saved = await database.system(listSavedReplies, { ...tenant, ids });
  const replies = saved.map((row) => ({ ...row, reply: maskJson(row.reply) }));
  await database.system(eraseSavedReplies, { ...tenant, replies: JSON.stringify(replies) });
};

const wordsOf = (attempts: readonly AttemptRow[]) =>
  attempts.map((row) => ({
    payment_request_id: row.payment_request_id,
    position: row.position,
    words: joinWords(searchWords(row.order_id, poundsText(pence(Number(row.total_pence))))),
  }));
