type Paid = {
  readonly orderId: string;
  readonly paymentRequestId: string;
  readonly status: string;
};

/** Of an order that was paid more than once: a split bill, or a customer who paid again. */
export const paidTwice = (row: Paid, all: readonly Paid[]): string | null => {
  const same = all.filter(
    ({ orderId, status }) => orderId === row.orderId && status === 'COMPLETED',
  );
  if (same.length < 2 || !same.includes(row)) return null;
  const isSplit = same.every(({ paymentRequestId: id }) => id === row.paymentRequestId);
  const position = same.length - same.indexOf(row);
  return `${isSplit ? 'part' : 'payment'} ${position} of ${same.length}`;
};
