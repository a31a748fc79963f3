import { listReceiptMails, listWebhookMails } from '@florin/contract';
import { type ReactNode, useState } from 'react';
import { useOperation } from '../../../call/use-operation.ts';
import { DateText } from '../../../parts/date-text.tsx';
import { SectionCard } from '../../../parts/section-card.tsx';
import { type Column, DataTable } from '../../../parts/table/data-table.tsx';

type Mail = {
  readonly to: string | null;
  readonly subject: string;
  readonly text: string;
  readonly createdAt: string;
  readonly sentAt: string | null;
};

const mailsRead = 20;

const columns: readonly Column<Mail>[] = [
  { id: 'subject', title: 'Subject', isMain: true, cell: (mail) => <MailText mail={mail} /> },
  { id: 'to', title: 'To', cell: ({ to }) => to },
  { id: 'created', title: 'Written', cell: ({ createdAt }) => <DateText at={createdAt} /> },
  {
    id: 'sent',
    title: 'Sent',
    cell: ({ sentAt }) => (sentAt ? <DateText at={sentAt} /> : 'Caught here'),
  },
];

const MailText = ({ mail }: { readonly mail: Mail }): ReactNode => {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>{mail.subject}</summary>
      {isOpen && <pre>{mail.text}</pre>}
    </details>
  );
};

/** Receipts and warnings about webhooks: without a mail server they stay here. */
export const CaughtMail = (): ReactNode => {
  const query = { query: { limit: mailsRead } };
  const receipts = useOperation(listReceiptMails, query);
  const warnings = useOperation(listWebhookMails, query);
  const mails: readonly Mail[] = [...(receipts.data ?? []), ...(warnings.data ?? [])].toSorted(
    (one, other) => (one.createdAt > other.createdAt ? -1 : 1),
  );
  return (
    <SectionCard title="Mail">
      <DataTable<Mail>
        isPlain
        name="mails"
        caption="Mails, the newest first"
        columns={columns}
        rows={receipts.data && warnings.data ? mails : undefined}
        rowKey={({ createdAt, subject }) => `${createdAt} ${subject}`}
        failure={receipts.error ?? warnings.error}
        empty={
          <p className="soft">
            No mail yet. Receipts for payers come here, and a warning when deliveries to an endpoint
            have stopped.
          </p>
        }
      />
    </SectionCard>
  );
};
