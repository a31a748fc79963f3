import type { StatementLine } from '../accounts/model.ts';
import type { JsonObject } from '../ports.ts';
import type { StatementTraits } from '../statement-traits.ts';

export type ListAddress = { readonly address: string; readonly query: URLSearchParams };

type Page = {
  readonly lines: readonly StatementLine[];
  readonly links: JsonObject;
  readonly meta: JsonObject;
};

export const pageOf = (
  traits: StatementTraits,
  lines: readonly StatementLine[],
  page: number,
  list: ListAddress,
): Page => {
  const { pageSize, overlap } = traits;
  const pages = Math.max(Math.ceil(lines.length / pageSize), 1);
  const start = (page - 1) * pageSize;
  const link = (to: number): string => linkOf(traits, list, to);
  return {
    lines: lines.slice(Math.max(start - overlap, 0), start + pageSize),
    links: {
      Self: link(page),
      First: link(1),
      ...(page > 1 && { Prev: link(page - 1) }),
      ...(page < pages && { Next: link(page + 1) }),
      Last: link(pages),
    },
    meta: { TotalPages: pages },
  };
};

// What some banks make of their own addresses.
const linkOf = ({ links }: StatementTraits, list: ListAddress, page: number): string => {
  const query = new URLSearchParams(list.query);
  query.set('page', String(page));
  const url = new URL(list.address);
  if (links === 'doubled-slash') url.pathname = url.pathname.replace('/aisp/', '/aisp//');
  if (links === 'other-host') url.host = 'internal-gateway.invalid';
  url.search = query.toString();
  return url.href;
};
