import {
  deleteCustomerCard,
  getCustomer,
  listCustomerCards,
  type ReplyOf,
  searchTransactions,
} from '@florin/contract';
import { addUpCustomers } from '@florin/contract/dashboard/index.ts';
import { Group, NativeSelect } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useAct, useAddress, useMay, useOperation } from '../call/use-operation.ts';
import { ActButton } from '../parts/confirm-act.tsx';
import {
  actsColumn,
  amountColumn,
  type Column,
  DataTable,
  fileColumns,
} from '../parts/data-table.tsx';
import { ExportButton } from '../parts/export-button.tsx';
import { NotYet } from '../parts/failure-notice.tsx';
import { typing } from '../parts/fields.ts';
import { DetailList, PageTitle, SectionCard } from '../parts/layout.tsx';
import { countOf, writePhone, writePounds } from '../parts/numbers.ts';
import { shownStatusOf } from '../parts/status-badge.tsx';
import { CopyText, DateText } from '../parts/texts.tsx';

// With their dialogs no part of the first load.
const AskToPay = lazy(async () => ({ default: (await import('./customer-acts.tsx')).AskToPay }));
const ChargeCard = lazy(async () => ({
  default: (await import('./customer-acts.tsx')).ChargeCard,
}));

const EditCustomer = lazy(async () => ({
  default: (await import('./customer-form.tsx')).EditCustomer,
}));
const DeleteCustomer = lazy(async () => ({
  default: (await import('./customer-form.tsx')).DeleteCustomer,
}));

type Card = ReplyOf<typeof listCustomerCards>[number];
type Customer = ReplyOf<typeof getCustomer>;

const describeCard = ({ brand, lastFourDigits }: Card): string =>
  `${brand ?? 'Card'} ending in ${lastFourDigits}`;

const columns: readonly Column<Card>[] = [
  { id: 'card', title: 'Card', isMain: true, cell: describeCard },
  { id: 'expires', title: 'Expires', cell: ({ expiryDate }) => expiryDate },
  { id: 'holder', title: 'Card holder', cell: ({ name }) => name },
  { id: 'kind', title: 'Type', cell: ({ cardType }) => cardType },
  { id: 'country', title: 'Issued in', isExtra: true, cell: ({ country }) => country },
  { id: 'use', title: 'Agreed use', cell: ({ recurrenceType }) => recurrenceType },
];

type CardOrder = 'newest' | 'expiry' | 'card';

const compared = (keyOf: (card: Card) => string) => (cards: readonly Card[]) =>
  cards.toSorted((one, other) => keyOf(one).localeCompare(keyOf(other)));

/** They come with the newest first. */
const cardOrders = {
  newest: { label: 'Newest first', sort: (cards: readonly Card[]) => cards },
  expiry: {
    label: 'Expires first',
    // MM/YYYY, by year first.
    sort: compared(({ expiryDate }) => expiryDate.split('/').reverse().join()),
  },
  card: { label: 'By card', sort: compared(describeCard) },
} as const;

type Payment = ReplyOf<typeof searchTransactions>['data'][number];

const paymentColumns: readonly Column<Payment>[] = [
  amountColumn(({ paidAmount }) => paidAmount),
  {
    id: 'status',
    title: 'Status',
    isMain: true,
    status: shownStatusOf,
  },
  { id: 'order', title: 'Order', cell: ({ orderId }) => orderId },
  {
    id: 'refunded',
    title: 'Refunded',
    pounds: ({ totalRefundAmount }) => totalRefundAmount || null,
  },
  { id: 'created', title: 'When', at: ({ createdAt }) => createdAt },
];

const paymentsPageSize = 10;

const PaymentsOf = ({ customerId }: { readonly customerId: string }): ReactNode => {
  const address = useAddress();
  const [page, setPage] = useState(1);
  const found = useOperation(searchTransactions, {
    query: { page: page - 1, size: paymentsPageSize },
    body: { serviceCustomerIds: [customerId] },
  });
  const total = found.data?.totalCount;
  return (
    <SectionCard
      title="Payments"
      acts={
        total ? (
          <Link to={address('payments')} search={{ customer: customerId } as never}>
            All their payments
          </Link>
        ) : null
      }
    >
      <DataTable<Payment>
        isPlain
        name="customer-payments"
        caption="Payments of this customer, the newest first"
        columns={paymentColumns}
        rowKey={({ paymentIdempotencyId }) => paymentIdempotencyId}
        rowLink={({ paymentRequestId }) => address(`payments/${paymentRequestId}`)}
        read={found}
        pager={{ page, size: paymentsPageSize, total, onPage: setPage }}
        empty={<p className="soft">No payments yet.</p>}
      />
    </SectionCard>
  );
};

/** "£214.50 in 9 payments, the last one 3 Dec, 14:02". */
const SpentBy = ({ customerId }: { readonly customerId: string }): ReactNode => {
  const { data } = useOperation(addUpCustomers, { query: { customerIds: customerId } });
  const [sums] = data?.data ?? [];
  if (!sums) return '\u00a0';
  if (sums.payments === 0) return 'Nothing paid yet';
  return (
    <>
      {sums.isMinimum && 'At least '}
      <strong className="figures">{writePounds(sums.spent)}</strong> spent in{' '}
      {countOf(sums.payments, 'payment')} · last <DateText at={sums.lastPaidAt} />
    </>
  );
};

export const CustomerPage = (): ReactNode => {
  const address = useAddress();
  const { customerId } = useParams({ from: '/$merchantId/$environment/customers/$customerId' });
  const read = useOperation(getCustomer, { params: { customerId } });
  const mayCreate = useMay('payments.create');
  const mayWrite = useMay('customers.write');
  const { data: customer } = read;
  if (!customer) return <NotYet of={read} />;
  return (
    <>
      <PageTitle
        title={customer.fullName}
        says={<SpentBy customerId={customerId} />}
        above={<Link to={address('customers')}>Customers</Link>}
      >
        {mayCreate && (
          <Suspense>
            <AskToPay customer={customer} />
          </Suspense>
        )}
      </PageTitle>
      <SectionCard
        title="Customer"
        acts={
          mayWrite && (
            <Suspense>
              <Group gap="xs">
                <EditCustomer customer={customer} />
                <DeleteCustomer customer={customer} />
              </Group>
            </Suspense>
          )
        }
      >
        <DetailList
          of={[
            [
              'Email',
              customer.email && (
                <a key="email" href={`mailto:${customer.email}`}>
                  {customer.email}
                </a>
              ),
            ],
            ['Phone', writePhone(customer)],
            ['Type', customer.type === 'BUSINESS' ? 'Business' : 'Person'],
            ['VAT number', customer.vatNumber],
            ['Address', customer.address],
            ['City', customer.city],
            ['Postcode', customer.postcode],
            ['Since', <DateText key="since" at={customer.createdAt} />],
            ['Customer id', <CopyText key="id" text={customer.id} what="customer id" />],
          ]}
        />
      </SectionCard>
      <PaymentsOf customerId={customerId} />
      <SavedCards of={customer} />
    </>
  );
};

/** They can be charged as was agreed, and forgotten. */
const SavedCards = ({ of: customer }: { readonly of: Customer }): ReactNode => {
  const cards = useOperation(listCustomerCards, { params: { customerId: customer.id } });
  const [order, setOrder] = useState<CardOrder>('newest');
  const mayWrite = useMay('customers.write');
  const mayCharge = useMay('payments.capture');
  const acts: Column<Card> = {
    ...actsColumn,
    cell: (card) => (
      <Group gap="xs">
        {mayCharge && (
          <Suspense>
            <ChargeCard customer={customer} cardId={card.id} card={describeCard(card)} />
          </Suspense>
        )}
        {mayWrite && <RemoveCard card={card} of={customer} />}
      </Group>
    ),
  };
  return (
    <SectionCard
      title="Saved cards"
      acts={
        cards.data &&
        cards.data.length > 0 && (
          <Group gap="sm">
            <NativeSelect
              aria-label="Sort"
              data={Object.entries(cardOrders).map(([value, { label }]) => ({ value, label }))}
              {...typing(order, (next) => setOrder(next as CardOrder))}
            />
            <ExportButton
              fileName={`cards-${customer.id}`}
              columns={fileColumns(columns)}
              readPage={async () => ({ rows: cards.data ?? [], total: 0, goesOn: false })}
            />
          </Group>
        )
      }
    >
      <DataTable<Card>
        isPlain
        name="cards"
        caption="Saved cards"
        columns={mayWrite || mayCharge ? [...columns, acts] : columns}
        rows={cards.data && cardOrders[order].sort(cards.data)}
        rowKey={({ id }) => id}
        read={cards}
        empty={<p className="soft">No saved cards. Customers save a card on the payment page.</p>}
      />
    </SectionCard>
  );
};

type RemoveCardProps = { readonly card: Card; readonly of: Customer };

const RemoveCard = ({ card, of: { id: customerId, fullName } }: RemoveCardProps): ReactNode => {
  const remove = useAct(deleteCustomerCard, { changes: [listCustomerCards] });
  return (
    <ActButton
      size="compact-sm"
      says="Remove"
      act={`Remove ${describeCard(card)}`}
      isDangerous
      onConfirm={() => remove.mutateAsync({ params: { customerId, cardId: card.id } })}
    >
      <p>
        It can no longer be charged. Past payments are not affected. To save it again, {fullName}{' '}
        pays with it once more.
      </p>
    </ActButton>
  );
};
