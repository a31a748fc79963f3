import { failures } from '@florin/contract';
import { Failure } from '#kernel/failure.ts';
import { type Payment, paymentUrl } from '#modules/payments/index.ts';

/**
 * Web clients put cards into a form of another processor, which does not know our payments: the way by
 * card is our own page (`0078-cards-in-web-clients.md`).
 */
export const noCardsInBrowser = (
  { publicUrl }: { readonly publicUrl: string },
  { paymentRequestId }: Payment,
): Failure => {
  const page = paymentUrl(publicUrl, paymentRequestId);
  return new Failure(failures.notEnabled, {
    message: `Card payments are not enabled in this window. Pay by card on ${page}`,
  });
};
