import { failures } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import { missingPublicId, requireBankAccount } from '#modules/merchants/index.ts';
import type { DecideOnce } from '#platform/http/route.ts';
import { beginOnce } from '#platform/idempotency/save-reply.ts';
import type { Uses } from '#platform/tools.ts';
import type { TransferAccount } from '#rails/transfer-rail.ts';
import { changeRefund, noteRefund } from '../core/change-refunds.ts';
import { type Refund, refundAccountContext } from '../core/refund.ts';
import { readRefund } from '../core/store/read-refunds.ts';

export type EnterTools = Uses<'database' | 'ids' | 'secrets' | 'wakeDispatcher'>;

/** REFUND-10. Only a refund that waits for an account takes one: no refund is diverted. */
export const enterRefundAccount = async (
  tools: EnterTools,
  tenant: Tenant,
  refundId: string,
  account: TransferAccount,
  actor: string,
  decideOnce: DecideOnce = (decide) => decide(),
): Promise<Refund> => {
  requireBankAccount(account);
  const found = await readRefund(tools.database, tenant, refundId);
  if (!found) {
    const message = 'There is no refund with this id.';
    throw await missingPublicId(tools, tenant, message, refundId, 'REFUND');
  }
  const text = JSON.stringify(account);
  const { isRepeat } = await beginOnce(tools, decideOnce, async () => {
    if (found.waitsFor !== 'REFUND_ACCOUNT_NEEDED') throw takesNone();
    return refundId;
  });
  return changeRefund(tools, tenant, refundId, (refund, change) => {
    const { status, now } = refund;
    if (refund.waitsFor !== 'REFUND_ACCOUNT_NEEDED') {
      if (isRepeat && hasAccount(tools, refund, text)) return false;
      throw takesNone();
    }
    const accountEncrypted = tools.secrets.encrypt(text, refundAccountContext(refundId));
    noteRefund(change, { accountEncrypted, waitsFor: null, dueBusinessAt: now });
    change.history.push({
      fromStatus: status,
      toStatus: status,
      trigger: 'accountEntered',
      detail: actor,
    });
    return true;
  });
};

/** Another account than this may have been entered since. */
const hasAccount = ({ secrets }: EnterTools, refund: Refund, text: string): boolean => {
  const { refundId, accountEncrypted } = refund;
  if (!accountEncrypted) return false;
  return secrets.decryptText(accountEncrypted, refundAccountContext(refundId)) === text;
};

const takesNone = (): Failure =>
  new Failure(failures.invalidState, {
    message: 'This refund does not wait for an account: it has one, or it has ended.',
  });
