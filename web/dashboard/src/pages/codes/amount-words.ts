import { writePounds } from '../../parts/write-pounds.ts';

type Amounts = {
  readonly amount: number | null;
  readonly minAmount: number | null;
  readonly maxAmount: number | null;
};

/** "£4.50", or "Any from £1.00 to £50.00". */
export const amountWords = ({ amount, minAmount, maxAmount }: Amounts): string =>
  amount === null
    ? `Any from ${writePounds(minAmount ?? 0)} to ${writePounds(maxAmount ?? 0)}`
    : writePounds(amount);
