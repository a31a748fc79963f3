import { findPayments, type ReplyOf } from '@florin/contract';
import type { ReactNode } from 'react';
import { useOperation } from '../../call/use-operation.ts';
import {
  amountColumn,
  type Column,
  DataTable,
  environmentColumn,
  timeColumn,
} from '../../parts/data-table.tsx';
import { EmptyState, PageTitle } from '../../parts/layout.tsx';
import { inAddress, oneOfFew, searchFor, useFilters } from '../../parts/use-filters.tsx';

type Payment = ReplyOf<typeof findPayments>['data'][number];

const filters = {
  search: searchFor('Order, amount, payer, reference or merchant'),
  merchant: inAddress.text,
  environment: oneOfFew(
    'Environment',
    { all: 'Both', sandbox: 'Sandbox', production: 'Production' },
    'all',
  ),
};

const columns: readonly Column<Payment>[] = [
  amountColumn(({ amount }) => amount),
  { id: 'status', title: 'Status', isMain: true, status: ({ status }) => status },
  { id: 'order', title: 'Order', isObvious: true, cell: ({ orderId }) => orderId },
  { id: 'business', title: 'Merchant', isSecond: true, cell: ({ businessName }) => businessName },
  environmentColumn,
  { id: 'method', title: 'Paid by', cell: ({ method }) => method && methods[method] },
  timeColumn(({ createdAt }) => createdAt),
  {
    id: 'id',
    title: 'Payment id',
    isExtra: true,
    copied: ({ paymentRequestId }) => paymentRequestId,
  },
];

const methods = { CARD: 'Card', PAY_BY_BANK: 'Bank' } as const;

/** Payments of all merchants, for who answers a merchant's question. */
export const FindPaymentsPage = (): ReactNode => {
  const { filters: chosen, toolbar } = useFilters(filters, { replace: true });
  const { search, merchant, environment = 'all' } = chosen;
  const isAsked = search !== undefined || merchant !== undefined;
  const query = {
    ...(search !== undefined && { search }),
    ...(merchant !== undefined && { merchant }),
    ...(environment !== 'all' && { environment }),
  };
  const found = useOperation(findPayments, { query }, { enabled: isAsked });
  const rows = isAsked ? found.data?.data : [];
  return (
    <>
      <PageTitle title="Payments" says="Across all businesses" />
      <DataTable<Payment>
        isFinder
        name="operator-payments"
        caption="Payments that were found, the newest first"
        columns={columns}
        rows={rows}
        read={found}
        rowKey={({ paymentRequestId, createdAt }) => `${paymentRequestId} ${createdAt}`}
        rowLink={({ merchantId, environment: of, paymentRequestId }) =>
          `/operator/merchants/${merchantId}/payments/${paymentRequestId}?environment=${of}`
        }
        toolbar={toolbar}
        empty={
          <EmptyState title={isAsked ? 'Nothing found' : 'Find a payment'} icon="search">
            Enter a whole order number, an amount such as 12.50, a word of the payer’s name, a
            payment’s id or reference; or part of a merchant’s name, for its newest payments.
          </EmptyState>
        }
      />
      {isAsked && found.data?.isWhole === false && (
        <p className="soft">There are more: narrow your search.</p>
      )}
    </>
  );
};
