import type { getPaymentStatus, ReplyOf } from '@florin/contract';
import type { ReactNode } from 'react';
import { amountColumn, type Column, DataTable } from '../../parts/data-table.tsx';
import { SectionCard } from '../../parts/layout.tsx';
import classes from './payment-items.module.css';

type Payment = ReplyOf<typeof getPaymentStatus>;
type Item = NonNullable<Payment['lineItems']>[number] & { readonly line: number };

const columns: readonly Column<Item>[] = [
  { id: 'name', title: 'Item', isMain: true, cell: ({ name }) => name },
  { id: 'quantity', title: 'Quantity', cell: ({ quantity }) => quantity },
  amountColumn(({ amount }) => amount),
];

/** What the payer reads of what is paid for. */
export const PaymentItems = ({ payment }: { readonly payment: Payment }): ReactNode => {
  const { lineItems, payerNote } = payment;
  return (
    <>
      {lineItems && (
        <SectionCard title="Items">
          <DataTable<Item>
            isPlain
            name="items"
            caption="What is paid for"
            columns={columns}
            rows={lineItems.map((item, line) => ({ ...item, line }))}
            rowKey={({ line }) => String(line)}
            empty={null}
          />
        </SectionCard>
      )}
      {payerNote && (
        <SectionCard title="Message to the customer">
          <p className={classes.note}>{payerNote}</p>
        </SectionCard>
      )}
    </>
  );
};
