import { listFailedMails, type ReplyOf, sendMailAgain } from '@florin/contract';
import { Alert } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useAct, useOperation } from '../../call/use-operation.ts';
import { Icon } from '../../design/icon.tsx';
import { ActButton } from '../../parts/confirm-act.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { EmptyState, PageTitle } from '../../parts/layout.tsx';
import { sentenceCase } from '../../parts/status-badge.tsx';
import { DateText } from '../../parts/texts.tsx';
import { useFilters } from '../../parts/use-filters.tsx';
import classes from './mails-page.module.css';

const pageSize = 25;

const columns: readonly Column<FailedMail>[] = [
  {
    id: 'mail',
    title: 'Email',
    isMain: true,
    cell: ({ source, kind, to }) => (
      <>
        <strong>{sentenceCase(kind)}</strong>
        <div className="soft">
          {receivers[source]}, {to}
        </div>
      </>
    ),
  },
  {
    id: 'why',
    title: 'Why it failed',
    cell: ({ title, advice }) => (
      <div className={classes.lines}>
        {title}
        <div className="soft">{advice}</div>
      </div>
    ),
  },
  { id: 'attempts', title: 'Attempts', count: ({ attempts }) => attempts },
  { id: 'next', title: 'Next attempt', cell: (mail) => <NextTry of={mail} /> },
  { id: 'business', title: 'Business', cell: (mail) => <Business of={mail} /> },
  { id: 'created', title: 'Written', at: ({ createdAt }) => createdAt },
];

const receivers = {
  RECEIPT: 'to a payer',
  MERCHANT: 'to a business',
  PERSON: 'to a person',
  CASE: 'to the operator',
} as const;

const NextTry = ({ of }: { readonly of: FailedMail }): ReactNode => (
  <>
    {of.state === 'RETRYING' &&
      (of.nextAt ? <DateText at={of.nextAt} /> : 'As soon as a worker is free')}
    {of.state === 'GIVEN_UP' && 'Given up'}
    {of.state === 'ENDED' && 'Never: it has expired'} {of.canSend && <SendMailAgain mail={of} />}
  </>
);

const Business = ({ of }: { readonly of: FailedMail }): ReactNode => {
  const { merchantId, businessName, environment } = of;
  if (merchantId === null) return null;
  return (
    <>
      <Link to="/operator/merchants/$merchantId" params={{ merchantId }}>
        {businessName}
      </Link>
      {environment && <div className="soft">{sentenceCase(environment)}</div>}
    </>
  );
};

/** Mails that the mail server did not take. */
export const MailsPage = (): ReactNode => {
  const { page, onPage } = useFilters({});
  const found = useOperation(listFailedMails, { query: { page: page - 1, size: pageSize } });
  const isUnsent = found.data?.hasMailServer === false;
  return (
    <>
      <PageTitle title="Emails" says="Emails that could not be sent" />
      {isUnsent && (
        <Alert
          role="alert"
          variant="default"
          color="orange"
          mb="md"
          icon={<Icon name="warning" />}
          title="No email is being sent"
        >
          No mail server is set up. Emails wait, and none is lost until what it says has expired.
          Give the server its address in the setting <span className="code">SMTP_URL</span>.
        </Alert>
      )}
      <DataTable<FailedMail>
        name="failed-mails"
        caption="Mails that failed, the newest first"
        columns={columns}
        rowKey={({ source, mailId }) => `${source}${mailId}`}
        read={found}
        pager={{ page, size: pageSize, total: found.data?.totalCount, onPage }}
        empty={
          <EmptyState
            title={isUnsent ? 'No email tried yet' : 'No failed emails'}
            icon={isUnsent ? 'bell' : 'check'}
          >
            Receipts, payment links, notices and cases are retried, at longer and longer intervals.
            An email whose last attempt failed is listed here, with the reason.
          </EmptyState>
        }
      />
    </>
  );
};

type FailedMail = ReplyOf<typeof listFailedMails>['data'][number];

/** Now instead of later; one that was given up once more. */
const SendMailAgain = ({ mail }: { readonly mail: FailedMail }): ReactNode => {
  const send = useAct(sendMailAgain, { changes: [listFailedMails] });
  const { source, mailId, kind, to } = mail;
  return (
    <ActButton
      size="compact-sm"
      says="Send again"
      title={`Send again: ${sentenceCase(kind).toLowerCase()}`}
      act="Send it again"
      onConfirm={() => send.mutateAsync({ params: { source, mailId } })}
    >
      <p>
        The email to {to} is sent as it was written, as soon as a worker is free. {mail.title}{' '}
        {mail.advice}
      </p>
    </ActButton>
  );
};
