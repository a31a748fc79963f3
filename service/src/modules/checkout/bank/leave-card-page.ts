import { closeCardPages, type Payment } from '#modules/payments/index.ts';

/**
 * Closes the card page that this payer left open, before another method is offered (CARD-2). On a
 * split bill every payer closes their own. While it is open nothing else can be started.
 */
export const leaveCardPage = (
  tools: Parameters<typeof closeCardPages>[0],
  payment: Payment,
  payerId: string | null,
): Promise<Payment> =>
  closeCardPages(
    tools,
    payment,
    'superseded',
    ({ applicationUserId }) => !payment.splitsBill || applicationUserId === payerId,
  );
