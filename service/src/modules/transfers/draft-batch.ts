import type { Pence } from '#kernel/pence.ts';
import type { Uses } from '#platform/tools.ts';
import type { TransferAccount } from '#rails/transfer-rail.ts';
import type { TransferSubject } from './transfer-report.ts';

export type TransferDraft = {
  readonly endToEndId: string;
  readonly subjectId: string;
  readonly amountPence: Pence;
  readonly creditorEncrypted: Buffer;
  readonly reference: string;
};

export type BatchDraft = {
  readonly messageId: string;
  readonly subject: TransferSubject;
  readonly onBehalfOf: string;
  readonly transfers: readonly TransferDraft[];
};

export type TransferOrder = {
  readonly subjectId: string;
  readonly amountPence: Pence;
  readonly creditor: TransferAccount;
  readonly reference: string;
};

const idBits = 125;

/** One message to the bank. Its ids are used once: a retry after a rejection is a new batch. */
export const draftBatch = (
  tools: Uses<'ids' | 'secrets'>,
  subject: TransferSubject,
  merchantName: string,
  orders: readonly TransferOrder[],
): BatchDraft => ({
  messageId: `FLB${tools.ids.token(idBits).toUpperCase()}`,
  subject,
  onBehalfOf: merchantName,
  transfers: orders.map(({ creditor, ...order }) => {
    const endToEndId = `FLT${tools.ids.token(idBits).toUpperCase()}`;
    const creditorEncrypted = tools.secrets.encrypt(
      JSON.stringify(creditor),
      creditorContext(endToEndId),
    );
    return { ...order, endToEndId, creditorEncrypted };
  }),
});

export const creditorContext = (endToEndId: string) => ({
  table: 'transfer',
  row: endToEndId,
  column: 'creditor_encrypted',
});
