import {
  advanceSandboxClock,
  eventTypes,
  listReceiptMails,
  listWebhookMails,
  payInSandbox,
  requestPayment,
  searchTransactions,
  triggerTestWebhook,
} from '@florin/contract';
import { getSettings, listDeliveries, listEvents } from '@florin/contract/dashboard/index.ts';
import { Button, Group } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useAct, useAddress, useOperation, useTenant } from '../../call/use-operation.ts';
import { ConfirmAct } from '../../parts/confirm-act.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { EmptyState, PageTitle, SectionCard } from '../../parts/layout.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { DateText } from '../../parts/texts.tsx';
import classes from './sandbox-page.module.css';

/** What only the sandbox has: outcomes at a press, test events, a clock, and the mail that was caught. */
export const SandboxPage = (): ReactNode => {
  const tenant = useTenant();
  if (tenant?.environment !== 'sandbox')
    return (
      <>
        <PageTitle title="Sandbox" />
        <div className="card">
          <EmptyState title="This is production" icon="warning">
            Test outcomes, test events and the clock exist only in the sandbox: switch above.
          </EmptyState>
        </div>
      </>
    );
  return (
    <>
      <PageTitle title="Sandbox" says="Try every outcome with test banks and test money" />
      <TryOutcomes />
      <TestEvents />
      <SandboxClock />
      <CaughtMail />
    </>
  );
};

const outcomes = [
  { outcome: 'COMPLETED', title: 'Paid', says: 'the bank accepts and settles it' },
  { outcome: 'FAILED', title: 'Rejected', says: 'the bank refuses it' },
  { outcome: 'CANCELLED', title: 'Declined', says: 'the customer says no at the bank' },
  { outcome: 'PENDING', title: 'Pending', says: 'the bank takes its time' },
] as const;

type Outcome = (typeof outcomes)[number]['outcome'];

const amount = 12.5;

/** A button for each outcome makes a payment of £12.50 and pays it through the whole real flow. */
const TryOutcomes = (): ReactNode => {
  const address = useAddress();
  const [made, setMade] = useState<{ readonly id: string; readonly status: string } | null>(null);
  const request = useAct(requestPayment);
  const pay = useAct(payInSandbox, { changes: [searchTransactions] });
  const tryOne = async (outcome: Outcome): Promise<void> => {
    setMade(null);
    const body = { customerId: 'sandbox', orderId: `try-${outcome.toLowerCase()}`, amount };
    const { paymentRequestId } = await request.mutateAsync({ body });
    const paid = await pay.mutateAsync({ params: { paymentRequestId }, body: { outcome } });
    setMade({ id: paymentRequestId, status: paid.status });
  };
  const failure = request.error ?? pay.error;
  const isBusy = request.isPending || pay.isPending;
  return (
    <SectionCard title="Pay by bank with this outcome">
      <Group gap="sm">
        {outcomes.map(({ outcome, title, says }) => (
          <Button
            key={outcome}
            variant="default"
            disabled={isBusy}
            title={says}
            onClick={() => void tryOne(outcome).catch(() => undefined)}
          >
            {title}
          </Button>
        ))}
      </Group>
      <ul>
        {outcomes.map(({ outcome, title, says }) => (
          <li key={outcome}>
            {title}: {says}.
          </li>
        ))}
      </ul>
      {failure && <FailureNotice failure={failure} />}
      <p role="status">
        {isBusy && 'A customer pays now…'}
        {made && (
          <>
            <StatusBadge status={made.status} />{' '}
            <Link to={address(`payments/${made.id}`)}>Open the payment</Link>
          </>
        )}
      </p>
    </SectionCard>
  );
};

/** Sends a made-up event to each endpoint that is subscribed to its type, signed like a real one. */
const TestEvents = (): ReactNode => {
  const address = useAddress();
  const send = useAct(triggerTestWebhook, { changes: [listDeliveries, listEvents] });
  return (
    <SectionCard title="Send a test event">
      <Group gap="sm">
        {eventTypes.map((eventType) => (
          <Button
            key={eventType}
            variant="default"
            disabled={send.isPending}
            onClick={() => send.mutate({ body: { eventType } })}
          >
            <span className="code">{eventType}</span>
          </Button>
        ))}
      </Group>
      {send.error && <FailureNotice failure={send.error} />}
      <p role="status">
        {send.isSuccess && (
          <>
            It is on its way: <Link to={address('developers/deliveries')}>see what came back</Link>
          </>
        )}
      </p>
    </SectionCard>
  );
};

const hour = 60 * 60 * 1000;

const steps = [
  { title: 'an hour', advanceMs: hour },
  { title: 'a day', advanceMs: 24 * hour },
  { title: 'a week', advanceMs: 7 * 24 * hour },
] as const;

/** Moves the merchant's sandbox time on: what falls due on the way happens in order. */
const SandboxClock = (): ReactNode => {
  const [step, setStep] = useState<(typeof steps)[number] | null>(null);
  const client = useQueryClient();
  const advance = useAct(advanceSandboxClock);
  const read = useOperation(getSettings);
  const now = advance.data?.now ?? read.data?.now;
  return (
    <SectionCard title="Clock">
      <Group gap="sm">
        {steps.map((each) => (
          <Button key={each.title} variant="default" onClick={() => setStep(each)}>
            Move on {each.title}
          </Button>
        ))}
      </Group>
      <p role="status">
        {now && (
          <>
            It is now <DateText at={now} /> in the sandbox.
          </>
        )}
      </p>
      <ConfirmAct
        isOpen={step !== null}
        title={`Move the clock on ${step?.title ?? ''}`}
        act={`Move on ${step?.title ?? ''}`}
        onClose={() => setStep(null)}
        onConfirm={async () => {
          await advance.mutateAsync({ body: { advanceMs: step?.advanceMs ?? 0 } });
          await client.invalidateQueries();
        }}
      >
        <p>
          Everything due in between happens in order: requests expire, payouts close, webhooks are
          retried. The clock cannot go back.
        </p>
      </ConfirmAct>
    </SectionCard>
  );
};

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
  { id: 'created', title: 'Written', at: ({ createdAt }) => createdAt },
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
      {isOpen && <pre className={classes.mail}>{mail.text}</pre>}
    </details>
  );
};

/** Receipts, statements and warnings about webhooks: without a mail server they stay here. */
const CaughtMail = (): ReactNode => {
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
        read={receipts.error ? receipts : warnings}
        empty={
          <p className="soft">
            No emails yet. Customer receipts, monthly statements and warnings about failing
            endpoints appear here.
          </p>
        }
      />
    </SectionCard>
  );
};
