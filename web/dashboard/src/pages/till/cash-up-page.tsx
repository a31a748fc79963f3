import type { ReplyOf } from '@florin/contract';
import { getCashUp } from '@florin/contract/dashboard/index.ts';
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useAddress, useMembership, useOperation } from '../../call/use-operation.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { NotRead } from '../../parts/failure-notice.tsx';
import { DetailList, PageTitle, SectionCard } from '../../parts/layout.tsx';
import { StoreField } from '../../parts/store-field.tsx';
import { MoneyText } from '../../parts/texts.tsx';
import { writeDay } from '../../parts/times.ts';
import { inAddress, onDay, useFilters } from '../../parts/use-filters.tsx';

type CashUp = ReplyOf<typeof getCashUp>;
type Took = CashUp['byTill'][number] | CashUp['byMethod'][number] | CashUp['byPerson'][number];

const methodWords = { PAY_BY_BANK: 'Bank', CARD: 'Card' } as const;

const nameOf = (took: Took): string => {
  if ('tillName' in took) return took.tillName;
  if ('method' in took) return methodWords[took.method];
  return took.name ?? 'Somebody who was deleted';
};

const columns: readonly Column<Took>[] = [
  { id: 'name', title: 'Name', isMain: true, cell: nameOf },
  { id: 'sales', title: 'Sales', count: ({ sales }) => sales },
  { id: 'amount', title: 'Amount', pounds: ({ amount }) => amount },
  { id: 'tips', title: 'Tips', pounds: ({ tips }) => tips || null },
  { id: 'refunded', title: 'Refunded', pounds: ({ refunded }) => refunded || null },
  { id: 'total', title: 'Total', isMain: true, pounds: ({ total }) => total },
];

/** At the end of a day: what the tills took, and who took it. */
export const CashUpPage = (): ReactNode => {
  const address = useAddress();
  const business = useMembership()?.businessName ?? '';
  const { filters, change, toolbar } = useFilters({
    day: onDay('Day'),
    store: inAddress.matching(/^[0-9a-f-]{36}$/),
  });
  const { day, store } = filters;
  const read = useOperation(getCashUp, { query: { day, storeId: store } });
  return (
    <>
      <PageTitle
        title={read.data ? `Cash-up of ${writeDay(read.data.day)}` : 'Cash-up'}
        above={<Link to={address('till')}>Till</Link>}
        says={business}
      >
        <StoreField
          storeId={store ?? ''}
          none="All stores"
          onChange={(storeId) => change({ store: storeId || undefined })}
        />
        {toolbar}
        <Button variant="default" onClick={() => print()}>
          Print or save as PDF
        </Button>
      </PageTitle>
      <NotRead of={read} />
      {read.data && <Totals cashUp={read.data} />}
    </>
  );
};

const Totals = ({ cashUp }: { readonly cashUp: CashUp }): ReactNode => (
  <>
    <SectionCard title="The day">
      <DetailList
        of={[
          ['Sales', String(cashUp.sales)],
          ['Amount', <MoneyText key="amount" pounds={cashUp.amount} />],
          ['Tips', <MoneyText key="tips" pounds={cashUp.tips} />],
          ['Refunded', <MoneyText key="refunded" pounds={cashUp.refunded} />],
          ['Total', <MoneyText key="total" pounds={cashUp.total} />],
          ['Not paid', String(cashUp.unpaid)],
        ]}
      />
    </SectionCard>
    {cashUp.sales === 0 ? (
      <p className="soft">The tills sold nothing on this day.</p>
    ) : (
      <>
        <Part title="By method" rows={cashUp.byMethod} />
        <Part title="By person" rows={cashUp.byPerson} />
        <Part title="By till" rows={cashUp.byTill} />
      </>
    )}
  </>
);

const Part = ({ title, rows }: { readonly title: string; readonly rows: readonly Took[] }) => (
  <SectionCard title={title}>
    <DataTable<Took>
      isPlain
      name={`cash-up-${title}`}
      caption={title}
      columns={columns}
      rows={rows}
      rowKey={(row) => `${nameOf(row)} ${row.sales} ${row.total}`}
      empty={null}
    />
  </SectionCard>
);
