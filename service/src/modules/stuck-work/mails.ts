import {
  failures,
  limits,
  type listFailedMails as operationListFailedMails,
  type sendMailAgain as operationSendMailAgain,
  type ParamsOf,
  type QueryOf,
  type ReplyOf,
} from '@florin/contract';
import { environments } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import { isUuid } from '#kernel/is-uuid.ts';
import { recipientContext, sendReceiptAgain } from '#modules/checkout/index.ts';
import { sendCaseAgain } from '#modules/operator-cases/index.ts';
import { sendPersonMailAgain } from '#modules/people/index.ts';
import { sendMailAgain as sendMerchantMailAgain } from '#modules/webhooks/index.ts';
import type { Uses } from '#platform/tools.ts';
import { explainMailFailure } from './explain-mail-failure.ts';
import { type FailedRow, listFailedRows } from './store.ts';

/** Enough to recognise an address that one knows: its first letter and its domain. */
export const maskAddress = (address: string): string => {
  const at = address.lastIndexOf('@');
  return at > 0 ? `${[...address][0]}…${address.slice(at)}` : '…';
};

type Reply = ReplyOf<typeof operationListFailedMails>;
type Tools = Uses<'database' | 'secrets' | 'config'>;

/** Of every kind of mail; no text, no link and no whole address of one. */
export const listFailedMails = async (
  tools: Tools,
  { page, size }: QueryOf<typeof operationListFailedMails>,
): Promise<Reply> => {
  const values = { limit: limits.stuckReadMax, size, skipped: page * size };
  const rows = await tools.database.system(listFailedRows, values);
  return {
    ...{ page, size, hasMailServer: tools.config.smtpUrl !== null },
    data: rows.flatMap((row) => (row.source === null ? [] : [shown(tools, row)])),
    totalCount: rows[0]?.total ?? 0,
  };
};

const shown = (tools: Tools, row: FailedRow): Reply['data'][number] => {
  const state = stateOf(row);
  const isPaused = state === 'RETRYING' && row.is_paused;
  return {
    ...{ source: row.source, mailId: row.mail_id, kind: row.kind },
    to: maskAddress(addressOf(tools, row)),
    ...{ merchantId: row.merchant_id, businessName: row.business_name },
    ...{ environment: row.environment, state, attempts: row.attempts },
    ...explainMailFailure(row.last_error ?? ''),
    createdAt: row.created_at.toISOString(),
    nextAt: isPaused ? (row.due_at?.toISOString() ?? null) : null,
    canSend: isPaused || state === 'GIVEN_UP',
  };
};

const stateOf = (row: FailedRow): Reply['data'][number]['state'] => {
  if (row.is_late) return 'ENDED';
  return row.is_given_up ? 'GIVEN_UP' : 'RETRYING';
};

const addressOf = ({ secrets, config }: Tools, row: FailedRow): string => {
  if (row.source === 'CASE') return config.operatorMail ?? '';
  if (row.recipient_encrypted === null) return row.recipient ?? '';
  try {
    return secrets.decryptText(row.recipient_encrypted, recipientContext(row.attempt_id ?? ''));
  } catch {
    // That no key opens it may be why the mail failed: it is listed all the same.
    return '';
  }
};

type Params = ParamsOf<typeof operationSendMailAgain>;
type Send = (tools: Uses<'database'>, mailId: string) => Promise<readonly unknown[]>;

/** Due now; who sends it, and under which message id, stays as ever (DASHBOARD-23). */
export const sendMailAgain = async (
  tools: Uses<'database'>,
  { source, mailId }: Params,
): Promise<ReplyOf<typeof operationSendMailAgain>> => {
  const found = await sends[source](tools, mailId);
  if (found.length === 0)
    throw new Failure(failures.notFound, {
      message: 'No mail with this id waits: it was sent, or what it says has ended.',
    });
  return { source, mailId };
};

const none: readonly unknown[] = [];
const maxNumber = 2_147_483_647;

const sends: Readonly<Record<Params['source'], Send>> = {
  RECEIPT: async ({ database }, mailId) => {
    const [merchantId = '', name, attemptId = '', text = ''] = mailId.split('.');
    const [environment, position] = [environmentOf(name), numberOf(text)];
    return isUuid(merchantId) && isUuid(attemptId) && environment && position !== null
      ? database.system(sendReceiptAgain, { merchantId, environment, attemptId, position })
      : none;
  },
  MERCHANT: async ({ database }, mailId) => {
    const [merchantId = '', name, text = ''] = mailId.split('.');
    const environment = environmentOf(name);
    return isUuid(merchantId) && environment && numberOf(text) !== null
      ? database.system(sendMerchantMailAgain, { merchantId, environment, mailId: text })
      : none;
  },
  PERSON: async ({ database }, mailId) =>
    isUuid(mailId) ? database.system(sendPersonMailAgain, { mailId }) : none,
  CASE: async ({ database }, caseId) =>
    isUuid(caseId) ? database.system(sendCaseAgain, { caseId }) : none,
};

const environmentOf = (name: string | undefined) => environments.find((each) => each === name);

const numberOf = (text: string): number | null =>
  /^\d{1,10}$/.test(text) && Number(text) <= maxNumber ? Number(text) : null;
