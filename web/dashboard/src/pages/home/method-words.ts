import type { ReplyOf } from '@florin/contract';
import type { getStatement } from '@florin/contract/dashboard/index.ts';

type Method = ReplyOf<typeof getStatement>['methods'][number]['method'];

/** What a payment was paid with first. */
export const methodWords: Readonly<Record<Method, string>> = {
  PAY_BY_BANK: 'Pay by bank',
  CARD: 'Card',
  NONE: 'Neither',
};
