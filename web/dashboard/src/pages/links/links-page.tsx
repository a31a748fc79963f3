import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { addressOfPage, type Tenant } from '../../call/tenant.ts';
import { useMay } from '../../call/use-me.ts';
import { useTenant } from '../../call/use-operation.ts';
import { CopyText } from '../../parts/copy-text.tsx';
import { DateText } from '../../parts/date-text.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { MoneyText } from '../../parts/money-text.tsx';
import { PageTitle } from '../../parts/page-title.tsx';
import { SectionCard } from '../../parts/section-card.tsx';
import { type Column, DataTable } from '../../parts/table/data-table.tsx';
import { CreateLink } from './create-link.tsx';
import { LinkStatus } from './link-status.tsx';
import { type MadeLink, useMadeLinks } from './use-made-links.ts';

const pageSize = 10;

const columns: readonly Column<MadeLink>[] = [
  {
    id: 'amount',
    title: 'Amount',
    isRight: true,
    isMain: true,
    cell: ({ pounds }) => <MoneyText pounds={pounds} />,
  },
  {
    id: 'status',
    title: 'Status',
    isMain: true,
    cell: ({ paymentRequestId }) => <LinkStatus paymentRequestId={paymentRequestId} />,
  },
  { id: 'order', title: 'Order', cell: ({ orderId }) => orderId },
  { id: 'notes', title: 'Notes', cell: ({ notes }) => notes },
  { id: 'link', title: 'Link', cell: ({ shortUrl }) => <CopyText text={shortUrl} what="link" /> },
  { id: 'made', title: 'Made', cell: ({ madeAt }) => <DateText at={madeAt} /> },
];

export const LinksPage = (): ReactNode => {
  const tenant = useTenant();
  return tenant && <Links key={`${tenant.merchantId} ${tenant.environment}`} tenant={tenant} />;
};

/** A link asks one customer for one amount. Its page holds the QR code and what became of it. */
const Links = ({ tenant }: { readonly tenant: Tenant }): ReactNode => {
  const navigate = useNavigate();
  const mayWrite = useMay('payments.create');
  const { links, save } = useMadeLinks(tenant);
  const [page, setPage] = useState(1);
  const addressOf = ({ paymentRequestId }: MadeLink): string =>
    addressOfPage(tenant, `links/${paymentRequestId}`);
  const made = (link: MadeLink): void => {
    save(link);
    void navigate({ to: addressOf(link) });
  };
  return (
    <>
      <PageTitle title="Payment links" says="Ask a customer for money by link, QR code or paper" />
      {mayWrite && (
        <SectionCard title="New link">
          <CreateLink onMade={made} />
        </SectionCard>
      )}
      <SectionCard title="Made in this browser">
        <DataTable<MadeLink>
          isPlain
          name="links"
          caption="Payment links made in this browser, the newest first"
          columns={columns}
          rows={links.slice((page - 1) * pageSize, page * pageSize)}
          rowKey={({ paymentRequestId }) => paymentRequestId}
          rowLink={addressOf}
          pager={{ page, size: pageSize, total: links.length, onPage: setPage }}
          empty={
            <EmptyState title="No links yet" icon="links">
              <p>
                Write an amount and an order above. The link opens a payment page; send it by
                message, show its QR code or print it. What is paid appears under Payments, for
                everyone in the business.
              </p>
            </EmptyState>
          }
        />
      </SectionCard>
    </>
  );
};
