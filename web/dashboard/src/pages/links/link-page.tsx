import { cancelPaymentRequest, limits, type ReplyOf, searchTransactions } from '@florin/contract';
import {
  getPaymentLink,
  getPaymentTimeline,
  mailPaymentLink,
} from '@florin/contract/dashboard/index.ts';
import { Alert, Button, Group, Textarea, TextInput } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { Link, useParams } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useAct, useAddress, useMay, useOperation } from '../../call/use-operation.ts';
import { Icon } from '../../design/icon.tsx';
import { ActButton } from '../../parts/confirm-act.tsx';
import { FailureNotice, NotYet } from '../../parts/failure-notice.tsx';
import { typing } from '../../parts/fields.ts';
import { DetailList, PageTitle, SectionCard } from '../../parts/layout.tsx';
import { writePounds } from '../../parts/numbers.ts';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { CopyText, DateText } from '../../parts/texts.tsx';
import classes from './link-page.module.css';

const lookEveryMs = 5_000;

/** One link: its QR code, for the screen and for paper, and what became of it. */
export const LinkPage = (): ReactNode => {
  const address = useAddress();
  const { paymentRequestId } = useParams({
    from: '/$merchantId/$environment/links/$paymentRequestId',
  });
  const { data: link } = useOperation(getPaymentLink, { params: { paymentRequestId } });
  const mayMail = useMay('links.write');
  const read = useOperation(
    getPaymentTimeline,
    { params: { paymentRequestId } },
    { refetchEveryMs: lookEveryMs },
  );
  const { data } = read;
  const pending = usePending(data?.orderId);
  if (!data) return <NotYet of={read} />;
  const isOpen = data.status === 'OPEN';
  const isPaid = data.status === 'PAID';
  const amount = writePounds(data.amount);
  const payment = address(`payments/${paymentRequestId}`);
  return (
    <>
      <PageTitle
        title={`${amount} for order ${data.orderId}`}
        above={<Link to={address('links')}>Payment links</Link>}
        badges={<StatusBadge status={data.status} />}
      >
        {link && isOpen && (
          <Button variant="default" onClick={() => print()}>
            Print
          </Button>
        )}
        {isPaid && <Link to={payment}>Open the payment</Link>}
        {isOpen && <CancelLink paymentRequestId={paymentRequestId} amount={amount} />}
      </PageTitle>
      {isOpen && pending && (
        <Alert role="status" color="orange" variant="light" mb="md" icon={<Icon name="warning" />}>
          <Link to={address(`payments/${pending.paymentRequestId}`)}>
            A payment of {writePounds(pending.paidAmount)} is pending
          </Link>{' '}
          for this order: wait for the bank before you ask again.
        </Alert>
      )}
      {link && isOpen && (
        <div className={classes.sides}>
          <Paper link={link} amount={amount} isAskedAgain={pending !== undefined} />
          {mayMail && (
            <SectionCard title="Email it">
              <MailLink paymentRequestId={paymentRequestId} email={link.email} />
            </SectionCard>
          )}
        </div>
      )}
      <SectionCard title="Details">
        <DetailList
          of={[
            [isPaid ? 'Paid' : 'Paid so far', writePounds(data.paidAmount)],
            ['Your customer id', data.customerId],
            ['Notes', data.notes],
            ['Store', data.storeName],
            ['Created by', link?.madeBy],
            ['Created', <DateText key="made" at={data.createdAt} />],
            ['Payment id', <CopyText key="id" text={paymentRequestId} what="payment id" />],
            ['Can be paid until', isOpen && <DateText key="until" at={data.expiresAt} />],
            [
              'Payment',
              !isPaid && (
                <Link key="payment" to={payment}>
                  See the timeline
                </Link>
              ),
            ],
          ]}
        />
      </SectionCard>
    </>
  );
};

/** Pending payments of the same order: a customer who gets the link again could pay twice. */
const usePending = (orderId: string | undefined) => {
  const mayRead = useMay('payments.read');
  const body = { status: ['PENDING' as const], search: orderId ?? '' };
  const found = useOperation(
    searchTransactions,
    { query: { page: 0, size: 25 }, body },
    { enabled: mayRead && orderId !== undefined, refetchEveryMs: lookEveryMs },
  );
  return found.data?.data.find((payment) => payment.orderId === orderId);
};

type PaperProps = {
  readonly link: ReplyOf<typeof getPaymentLink>;
  readonly amount: string;
  readonly isAskedAgain: boolean;
};

/** The only part of the page that is printed. */
const Paper = ({ link, amount, isAskedAgain }: PaperProps): ReactNode => (
  <section className={`card ${classes.paper}`} aria-label="The link">
    <img src={link.qrCodeUrl} alt={`QR code of the link for ${amount}`} width="220" height="220" />
    <div>
      <p className={classes.amount}>{amount}</p>
      <p className={classes.order}>
        Order {link.orderId}
        {link.notes && <>. {link.notes}</>}
      </p>
      <p className={classes.how}>Scan the code with a phone, or open</p>
      <CopyLink url={link.shortUrl} isSecond={isAskedAgain} />
      <p className={classes.open}>
        <a href={link.paymentUrl} target="_blank" rel="noreferrer">
          Open the payment page
        </a>
      </p>
    </div>
  </section>
);

type CopyLinkProps = {
  readonly url: string;
  /** Something else comes first. */
  readonly isSecond: boolean;
};

/** What a link is made for: it is handed on. */
const CopyLink = ({ url, isSecond }: CopyLinkProps): ReactNode => {
  const clipboard = useClipboard({ timeout: 2_000 });
  return (
    <div className={classes.copy}>
      <TextInput
        aria-label="The link"
        readOnly
        value={url}
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      <Button
        variant={isSecond ? 'default' : 'filled'}
        leftSection={<Icon name={clipboard.copied ? 'check' : 'copy'} size={16} />}
        onClick={() => clipboard.copy(url)}
      >
        {clipboard.copied ? 'Copied' : 'Copy the link'}
      </Button>
    </div>
  );
};

type CancelLinkProps = { readonly paymentRequestId: string; readonly amount: string };

const CancelLink = ({ paymentRequestId, amount }: CancelLinkProps): ReactNode => {
  const mayCancel = useMay('payments.create');
  const cancel = useAct(cancelPaymentRequest, { changes: [getPaymentTimeline] });
  if (!mayCancel) return null;
  return (
    <ActButton
      says="Cancel the link"
      act={`Cancel the link for ${amount}`}
      isDangerous
      onConfirm={() => cancel.mutateAsync({ params: { paymentRequestId } })}
    >
      <p>It can no longer be paid. If a payment is already with the bank, cancelling is refused.</p>
    </ActButton>
  );
};

type MailLinkProps = { readonly paymentRequestId: string; readonly email: string | null };

/** Mails the link to a payer; what is queued is said, and can be done again for another address. */
const MailLink = ({ paymentRequestId, email: known }: MailLinkProps): ReactNode => {
  const [email, setEmail] = useState(known ?? '');
  const [note, setNote] = useState('');
  const mail = useAct(mailPaymentLink);
  const to = email.trim();
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (to === '' || mail.isPending) return;
    const body = { email: to, ...(note.trim() && { note: note.trim() }) };
    // What is refused is shown below the fields.
    const sent = await mail.mutateAsync({ params: { paymentRequestId }, body }).catch(() => null);
    if (sent) setEmail('');
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <TextInput
        label="Email address"
        type="email"
        required
        maxLength={limits.emailLength}
        placeholder="name@example.com"
        mb="md"
        {...typing(email, setEmail)}
      />
      <Textarea
        label="Message (optional)"
        description="We add your business name, the amount and the order."
        maxLength={limits.mailNoteLength}
        {...typing(note, setNote)}
      />
      {mail.error && <FailureNotice failure={mail.error} />}
      <p role="status">
        {mail.data && !mail.data.isCaught && `The link is on its way to ${mail.data.mailedTo}.`}
        {mail.data?.isCaught && 'Test email: read it on the Sandbox page.'}
      </p>
      <Group>
        <Button type="submit" disabled={to === ''} loading={mail.isPending}>
          Email the link
        </Button>
      </Group>
    </form>
  );
};
