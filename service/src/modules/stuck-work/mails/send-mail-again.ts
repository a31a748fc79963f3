import {
  failures,
  type sendMailAgain as operation,
  type ParamsOf,
  type ReplyOf,
} from '@florin/contract';
import { environments } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import { isUuid } from '#kernel/is-uuid.ts';
import { sendReceiptAgain } from '#modules/checkout/index.ts';
import { sendCaseAgain } from '#modules/operator-cases/index.ts';
import { sendPersonMailAgain } from '#modules/people/index.ts';
import { sendMailAgain as sendMerchantMailAgain } from '#modules/webhooks/index.ts';
import type { Uses } from '#platform/tools.ts';

type Params = ParamsOf<typeof operation>;
type Send = (tools: Uses<'database'>, mailId: string) => Promise<readonly unknown[]>;

/** Due now; who sends it, and under which message id, stays as ever (DASHBOARD-23). */
export const sendMailAgain = async (
  tools: Uses<'database'>,
  { source, mailId }: Params,
): Promise<ReplyOf<typeof operation>> => {
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
