import { deleteCustomerCard, getCustomer, listCustomerCards, type ReplyOf } from '@florin/contract';
import { Button } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useAct, useAddress, useMay, useOperation } from '../call/use-operation.ts';
import { ConfirmAct } from '../parts/confirm-act.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { FailureNotice } from '../parts/failure-notice.tsx';
import { DetailList, PageTitle, SectionCard } from '../parts/layout.tsx';
import { writePhone } from '../parts/numbers.ts';
import { CopyText, DateText } from '../parts/texts.tsx';

type Card = ReplyOf<typeof listCustomerCards>[number];

const describeCard = ({ brand, lastFourDigits }: Card): string =>
  `${brand ?? 'Card'} ending in ${lastFourDigits}`;

const columns: readonly Column<Card>[] = [
  { id: 'card', title: 'Card', isMain: true, cell: describeCard },
  { id: 'expires', title: 'Expires', cell: ({ expiryDate }) => expiryDate },
  { id: 'holder', title: 'Card holder', cell: ({ name }) => name },
  { id: 'kind', title: 'Kind', cell: ({ cardType }) => cardType },
  { id: 'country', title: 'Issued in', isExtra: true, cell: ({ country }) => country },
  { id: 'use', title: 'Agreed use', cell: ({ recurrenceType }) => recurrenceType },
];

export const CustomerPage = (): ReactNode => {
  const address = useAddress();
  const { customerId } = useParams({ from: '/$merchantId/$environment/customers/$customerId' });
  const params = { customerId };
  const read = useOperation(getCustomer, { params });
  const cards = useOperation(listCustomerCards, { params });
  const [removed, setRemoved] = useState<Card | null>(null);
  const remove = useAct(deleteCustomerCard, { changes: [listCustomerCards] });
  const mayWrite = useMay('customers.write');
  const { data: customer } = read;
  if (read.error && !customer)
    return <FailureNotice failure={read.error} onRetry={() => void read.refetch()} />;
  if (!customer) return null;
  const withRemove: Column<Card> = {
    id: 'remove',
    title: 'Remove',
    cell: (card) => (
      <Button size="compact-sm" variant="default" onClick={() => setRemoved(card)}>
        Remove
      </Button>
    ),
  };
  const removedCard = removed ? describeCard(removed) : '';
  return (
    <>
      <PageTitle
        title={customer.fullName}
        above={<Link to={address('customers')}>Customers</Link>}
      />
      <SectionCard title="Customer">
        <DetailList
          of={[
            ['E-mail', customer.email],
            ['Phone', writePhone(customer)],
            ['Kind', customer.type === 'BUSINESS' ? 'Business' : 'Person'],
            ['VAT number', customer.vatNumber],
            ['Address', customer.address],
            ['City', customer.city],
            ['Postcode', customer.postcode],
            ['Since', <DateText key="since" at={customer.createdAt} />],
            ['Customer id', <CopyText key="id" text={customer.id} what="customer id" />],
          ]}
        />
      </SectionCard>
      <SectionCard title="Saved cards">
        <DataTable<Card>
          isPlain
          name="cards"
          caption="Saved cards, the newest first"
          columns={mayWrite ? [...columns, withRemove] : columns}
          rows={cards.data}
          rowKey={({ id }) => id}
          read={cards}
          empty={<p className="soft">No card is saved. A card is saved on the payment page.</p>}
        />
      </SectionCard>
      <ConfirmAct
        isOpen={removed !== null}
        title={`Remove ${removedCard}`}
        act={`Remove ${removedCard}`}
        isDangerous
        onConfirm={() => remove.mutateAsync({ params: { customerId, cardId: removed?.id ?? '' } })}
        onClose={() => setRemoved(null)}
      >
        <p>
          It can no longer be charged. Payments that were made with it stay as they are. To save it
          again, {customer.fullName} pays with it once more.
        </p>
      </ConfirmAct>
    </>
  );
};
