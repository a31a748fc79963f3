import type { ReplyOf } from '@florin/contract';
import { listPaymentLinks } from '@florin/contract/dashboard/index.ts';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { addressOfPage, type Tenant } from '../../call/tenant.ts';
import { useMay } from '../../call/use-me.ts';
import { useOperation, useTenant } from '../../call/use-operation.ts';
import { DateText } from '../../parts/date-text.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { MoneyText } from '../../parts/money-text.tsx';
import { PageTitle } from '../../parts/page-title.tsx';
import { SectionCard } from '../../parts/section-card.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { type Column, DataTable } from '../../parts/table/data-table.tsx';
import { CreateLink } from './create-link.tsx';

type Link = ReplyOf<typeof listPaymentLinks>['data'][number];

const pageSize = 10;
const lookEveryMs = 5_000;

const columns: readonly Column<Link>[] = [
  {
    id: 'amount',
    title: 'Amount',
    isRight: true,
    isMain: true,
    cell: ({ amount }) => <MoneyText pounds={amount} />,
  },
  {
    id: 'status',
    title: 'Status',
    isMain: true,
    cell: ({ status }) => <StatusBadge status={status} />,
  },
  {
    id: 'paid',
    title: 'Paid',
    isRight: true,
    cell: ({ paidAmount }) => <MoneyText pounds={paidAmount} />,
  },
  { id: 'order', title: 'Order', cell: ({ orderId }) => orderId },
  { id: 'notes', title: 'Notes', cell: ({ notes }) => notes },
  { id: 'by', title: 'Made by', cell: ({ madeBy }) => madeBy },
  { id: 'made', title: 'Made', cell: ({ createdAt }) => <DateText at={createdAt} /> },
];

export const LinksPage = (): ReactNode => {
  const tenant = useTenant();
  return tenant && <Links key={`${tenant.merchantId} ${tenant.environment}`} tenant={tenant} />;
};

/** A link asks one customer for one amount. Its page holds the QR code and what became of it. */
const Links = ({ tenant }: { readonly tenant: Tenant }): ReactNode => {
  const navigate = useNavigate();
  const mayWrite = useMay('payments.create');
  const addressOf = (paymentRequestId: string): string =>
    addressOfPage(tenant, `links/${paymentRequestId}`);
  return (
    <>
      <PageTitle title="Payment links" says="Ask a customer for money by link, QR code or paper" />
      {mayWrite && (
        <SectionCard title="New link">
          <CreateLink onMade={(id) => void navigate({ to: addressOf(id) })} />
        </SectionCard>
      )}
      <SectionCard title="Links of the business">
        <MadeLinks addressOf={addressOf} />
      </SectionCard>
    </>
  );
};

type MadeLinksProps = { readonly addressOf: (paymentRequestId: string) => string };

const MadeLinks = ({ addressOf }: MadeLinksProps): ReactNode => {
  // The first page has no `before`; the last entry is that of the page in view.
  const [befores, setBefores] = useState<readonly string[]>([]);
  const before = befores.at(-1);
  const { data, error, refetch } = useOperation(
    listPaymentLinks,
    { query: { limit: pageSize, ...(before && { before }) } },
    { refetchEveryMs: lookEveryMs },
  );
  const next = data?.nextBefore;
  return (
    <DataTable<Link>
      isPlain
      name="links"
      caption="Payment links of the business, the newest first"
      columns={columns}
      rows={data?.data}
      failure={error}
      onRetry={() => void refetch()}
      rowKey={({ paymentRequestId }) => paymentRequestId}
      rowLink={({ paymentRequestId }) => addressOf(paymentRequestId)}
      pager={{
        hasMore: Boolean(next),
        hasBefore: befores.length > 0,
        onMore: () => next && setBefores([...befores, next]),
        onBefore: () => setBefores(befores.slice(0, -1)),
      }}
      empty={
        <EmptyState title="No links yet" icon="links">
          <p>
            Write an amount and an order above. The link opens a payment page; mail it, send it by
            message, show its QR code or print it. Everyone in the business sees it here.
          </p>
        </EmptyState>
      }
    />
  );
};
