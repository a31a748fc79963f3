import type { getPaymentStatus, ReplyOf } from '@florin/contract';

type Said = Pick<ReplyOf<typeof getPaymentStatus>['transactionDetails'][number], 'statusDetails'>;

/** What the bank or the card said last. */
export const saidOf = ({ statusDetails }: Said): string | null => {
  if (!statusDetails) return null;
  const { code, name } = statusDetails.isoStatus;
  // "AcceptedSettlementCompleted", where we have no words of our own.
  return (
    bankWords[code] ?? name.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  );
};

/** The words of ISO 20022 for who does not know them. */
const bankWords: Readonly<Record<string, string>> = {
  RCVD: 'Received',
  PDNG: 'Being checked',
  ACTC: 'Accepted, being checked',
  ACCP: 'Accepted, being checked',
  ACSP: 'Accepted, on its way',
  ACSC: 'Paid: it has left the customer’s account',
  ACCC: 'Paid: it has reached your account',
  RJCT: 'Rejected',
  CANC: 'Cancelled',
  BLCK: 'Blocked',
};
