import type { Attempt, CardRecord, IntentRecord } from '../model.ts';
import { balanceEntriesOf } from '../rules/balance.ts';
import { intentIdOfPart } from '../rules/ids.ts';
import type { Rendered } from '../wire/render-charge.ts';
import {
  renderAttempt,
  renderBalanceEntry,
  renderDispute,
  renderRefund,
} from '../wire/render-intent.ts';
import { renderRecord } from '../wire/render-record.ts';

export type RenderById = (id: string) => Promise<Rendered | undefined>;
export type Find = (id: string) => Promise<CardRecord | undefined>;

const part = /^(ch|re|dp|txn)_/;

// The wire form of the record with this id.
export const renderByIdFrom =
  (find: Find, pagesUrl: string): RenderById =>
  async (id) => {
    if (part.test(id)) {
      const intent = await find(intentIdOfPart(id));
      return intent?.kind === 'intent' ? renderPart(intent, id) : undefined;
    }
    const record = await find(id);
    if (!record) return undefined;
    const paid =
      record.kind === 'session' && record.intentId ? await find(record.intentId) : undefined;
    const intentOf = () => (paid?.kind === 'intent' ? paid : undefined);
    return renderRecord(record, { pagesUrl, intentOf });
  };

const renderPart = (intent: IntentRecord, id: string): Rendered | undefined => {
  if (id.startsWith('re_')) {
    const refund = intent.refunds.find((each) => each.id === id);
    return refund && renderRefund(intent, refund);
  }
  if (id.startsWith('txn_')) {
    const entry = balanceEntriesOf(intent).find((each) => each.id === id);
    return entry && renderBalanceEntry(intent, entry);
  }
  const isWanted = (attempt: Attempt) => attempt.id === id || attempt.dispute?.id === id;
  const attempt = intent.attempts.find(isWanted);
  if (!attempt) return undefined;
  if (attempt.id === id) return renderAttempt(intent, attempt);
  return attempt.dispute ? renderDispute(intent, attempt, attempt.dispute) : undefined;
};
