import { moneyFigures } from '@florin/contract/dashboard/index.ts';
import { readSearch } from '../../parts/filters/read-search.ts';

type Search = Readonly<Record<string, unknown>>;

export type HomeFilters = { readonly from?: string | undefined; readonly to?: string | undefined };

export const readHomeFilters = (search: Search): HomeFilters => ({
  from: readSearch.day(search, 'from'),
  to: readSearch.day(search, 'to'),
});

export type MoneyFigure = (typeof moneyFigures)[number];

export type MoneyRowFilters = HomeFilters & {
  readonly figure?: MoneyFigure | undefined;
  readonly before?: string | undefined;
};

export const readMoneyRowFilters = (search: Search): MoneyRowFilters => ({
  ...readHomeFilters(search),
  figure: readSearch.choice(search, 'figure', moneyFigures),
  before: readSearch.text(search, 'before', 40),
});
