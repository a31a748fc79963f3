import type { getPaymentStatus, ReplyOf } from '@florin/contract';

type Details = NonNullable<
  ReplyOf<typeof getPaymentStatus>['transactionDetails'][number]['cardPaymentDetails']
>;

export type CardSource = {
  readonly brand: string | null;
  readonly captureType: string;
  readonly initiator: 'MERCHANT' | 'CUSTOMER';
  readonly cardId: string | null;
  readonly expiresAt: Date | null;
};

/** CARD-18. An authorisation expires only when it is captured by hand. */
export const cardPaymentDetails = (card: CardSource): { readonly cardPaymentDetails: Details } => ({
  cardPaymentDetails: {
    cardType: card.brand,
    transactionSubType: 'CARD',
    captureType: card.captureType,
    metadata: { isMitPayment: card.initiator === 'MERCHANT' },
    paymentMethodId: card.cardId,
    ...(card.expiresAt ? { expiresAt: card.expiresAt.toISOString() } : {}),
  },
});
