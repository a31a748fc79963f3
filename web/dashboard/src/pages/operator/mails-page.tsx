import { listFailedMails, type ReplyOf, sendMailAgain } from '@florin/contract';
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useAct, useOperation } from '../../call/use-operation.ts';
import { ConfirmAct } from '../../parts/confirm-act.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { readSearch, useFilters } from '../../parts/filters.ts';
import { EmptyState, PageTitle } from '../../parts/layout.tsx';
import { sentenceCase } from '../../parts/status-badge.tsx';
import { DateText } from '../../parts/texts.tsx';
import classes from './mails-page.module.css';

const pageSize = 25;

const columnsWith = (send: (mail: FailedMail) => void): readonly Column<FailedMail>[] => [
  {
    id: 'mail',
    title: 'Mail',
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
  { id: 'attempts', title: 'Tries', isRight: true, cell: ({ attempts }) => attempts },
  {
    id: 'next',
    title: 'Next try',
    cell: (mail) => <NextTry of={mail} onSend={() => send(mail)} />,
  },
  { id: 'business', title: 'Business', cell: (mail) => <Business of={mail} /> },
  { id: 'created', title: 'Written', at: ({ createdAt }) => createdAt },
];

const receivers = {
  RECEIPT: 'to a payer',
  MERCHANT: 'to a business',
  PERSON: 'to a person',
  CASE: 'to the operator',
} as const;

type NextTryProps = { readonly of: FailedMail; readonly onSend: () => void };

const NextTry = ({ of: { state, nextAt, canSend }, onSend }: NextTryProps): ReactNode => (
  <>
    {state === 'RETRYING' && (nextAt ? <DateText at={nextAt} /> : 'As soon as a worker is free')}
    {state === 'GIVEN_UP' && 'Given up'}
    {state === 'ENDED' && 'Never: it has ended'}{' '}
    {canSend && (
      <Button size="compact-sm" variant="default" onClick={onSend}>
        Send again
      </Button>
    )}
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
  const { filters, onPage } = useFilters((search) => ({ page: readSearch.page(search) }));
  const { page = 1 } = filters;
  const [chosen, setChosen] = useState<FailedMail | null>(null);
  const found = useOperation(listFailedMails, { query: { page: page - 1, size: pageSize } });
  return (
    <>
      <PageTitle title="Mails" says="Mails of every kind that could not be sent" />
      {found.data?.hasMailServer === false && (
        <p>
          No mail server is set up (SMTP_URL): every mail waits, and none is lost until what it says
          has ended.
        </p>
      )}
      <DataTable<FailedMail>
        name="failed-mails"
        caption="Mails that failed, the newest first"
        columns={columnsWith(setChosen)}
        rows={found.data?.data}
        rowKey={({ source, mailId }) => `${source}${mailId}`}
        read={found}
        pager={{ page, size: pageSize, total: found.data?.totalCount, onPage }}
        empty={
          <EmptyState title="No mail has failed" icon="check">
            <p>
              Receipts, payment links, notices to businesses, mails to people and cases are tried
              again, later each time. One whose last try failed stands here, with why.
            </p>
          </EmptyState>
        }
      />
      {chosen && <SendMailAgain mail={chosen} onClose={() => setChosen(null)} />}
    </>
  );
};

type FailedMail = ReplyOf<typeof listFailedMails>['data'][number];

type SendMailAgainProps = { readonly mail: FailedMail; readonly onClose: () => void };

/** Now instead of later; one that was given up once more. */
const SendMailAgain = ({ mail, onClose }: SendMailAgainProps): ReactNode => {
  const send = useAct(sendMailAgain, { changes: [listFailedMails] });
  const { source, mailId, kind, to } = mail;
  return (
    <ConfirmAct
      isOpen
      title={`Send again: ${sentenceCase(kind).toLowerCase()}`}
      act="Send it again"
      onConfirm={() => send.mutateAsync({ params: { source, mailId } })}
      onClose={onClose}
    >
      <p>
        The mail to {to} is sent as it was written, as soon as a worker is free. {mail.title}{' '}
        {mail.advice}
      </p>
    </ConfirmAct>
  );
};
