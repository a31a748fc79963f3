import { listInstitutions, type ReplyOf } from '@florin/contract';
import { getPaymentTimeline } from '@florin/contract/dashboard/index.ts';
import { Button, Chip, Group } from '@mantine/core';
import { useToggle } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useAddress, useMay, useOperation } from '../../call/use-operation.ts';
import { NotRead } from '../../parts/failure-notice.tsx';
import { SectionCard } from '../../parts/layout.tsx';
import { refundWordsOf, StatusBadge } from '../../parts/status-badge.tsx';
import { DateText, MoneyText } from '../../parts/texts.tsx';
import classes from './payment-timeline.module.css';

type TimelineEntry = ReplyOf<typeof getPaymentTimeline>['entries'][number];
type Kind = TimelineEntry['kind'];

const kinds: readonly (readonly [Kind, string])[] = [
  ['REQUEST', 'Request'],
  ['ATTEMPT', 'Attempts'],
  ['REFUND', 'Refunds'],
  ['MONEY', 'Money'],
  ['EVENT', 'Events'],
  ['DELIVERY', 'Deliveries'],
];

/** The texts for programs: folded until somebody opens them. */
const forPrograms: readonly Kind[] = ['EVENT', 'DELIVERY'];

const lookEveryMs = 5_000;

/** Every state, attempt, event and delivery of a payment, the newest first, and who caused it. */
export const PaymentTimeline = ({
  paymentRequestId,
}: {
  readonly paymentRequestId: string;
}): ReactNode => {
  const [shown, setShown] = useState<string[]>(
    kinds.map(([kind]) => kind).filter((kind) => !forPrograms.includes(kind)),
  );
  const read = useOperation(
    getPaymentTimeline,
    { params: { paymentRequestId } },
    { refetchEveryMs: lookEveryMs },
  );
  const { data } = read;
  const [order, turn] = useToggle(['newest', 'oldest'] as const);
  const institutions = useOperation(listInstitutions).data ?? [];
  const banks = new Map(institutions.map(({ id, name }) => [id, name]));
  if (read.error && !data) return <NotRead of={read} />;
  const entries = data?.entries ?? [];
  const inOrder = order === 'newest' ? entries.toReversed() : entries;
  return (
    <SectionCard
      title="Timeline"
      acts={
        <Button variant="default" size="compact-sm" onClick={() => turn()}>
          {order === 'newest' ? 'Show the oldest first' : 'Show the newest first'}
        </Button>
      }
    >
      <Chip.Group multiple value={shown} onChange={setShown}>
        <Group gap="xs" mb="md" role="group" aria-label="What to show">
          {kinds
            .filter(([kind]) => entries.some((entry) => entry.kind === kind))
            .map(([kind, title]) => (
              <Chip key={kind} value={kind} size="xs" variant="outline">
                {title}
              </Chip>
            ))}
        </Group>
      </Chip.Group>
      <ol className={classes.list}>
        {inOrder
          .filter(({ kind }) => shown.includes(kind))
          .map((entry) => (
            <Entry
              key={[entry.at, entry.kind, entry.title, entry.subjectId, entry.deliveryId].join(' ')}
              entry={entry}
              paymentRequestId={paymentRequestId}
              banks={banks}
            />
          ))}
      </ol>
      {data?.isWhole === false && (
        <p className="soft">There is more than is shown: the API has all of it.</p>
      )}
    </SectionCard>
  );
};

/** Events say their status in their title; a refund has words of its own. */
const ownWords: readonly Kind[] = ['EVENT', 'REFUND'];

/** A code of ISO 20022, or that of the card: the title says it in words. */
const isCode = (detail: string): boolean => /^(?:[A-Z]{2}(?:[A-Z]{2}|\d{2})|card)$/.test(detail);

type EntryProps = {
  readonly entry: TimelineEntry;
  readonly paymentRequestId: string;
  readonly banks: Names;
};

const Entry = ({ entry, paymentRequestId, banks }: EntryProps): ReactNode => {
  const { at, kind, title, detail, status, amount, by } = entry;
  return (
    <li data-kind={kind}>
      <div className={classes.head}>
        <strong>{title}</strong>
        {amount !== null && <MoneyText pounds={amount} />}
        {status && kind === 'REFUND' && (
          <StatusBadge status={status} words={refundWordsOf(status)} />
        )}
        {status && !ownWords.includes(kind) && <StatusBadge status={status} />}
        {kind === 'DELIVERY' && <DeliveryLink paymentRequestId={paymentRequestId} />}
      </div>
      {detail && !isCode(detail) && <p className={classes.detail}>{banks.get(detail) ?? detail}</p>}
      <p className="soft">
        <DateText at={at} hasSeconds />
        {` · ${describeWho(by, banks)}`}
      </p>
    </li>
  );
};

const whoWords: Readonly<Record<TimelineEntry['by']['kind'], string>> = {
  PAYER: 'the customer',
  API: 'your program',
  PERSON: 'a person',
  BANK: 'the bank',
  TIME: 'automatically, when it was due',
  SYSTEM: 'automatically',
};

type Names = ReadonlyMap<string, string>;

/** A secret has a name of its own; a bank is named as customers know it. */
const describeWho = ({ kind, name }: TimelineEntry['by'], banks: Names): string => {
  if (!name || kind === 'PAYER') return whoWords[kind];
  if (kind === 'API') return `your program (secret ${name})`;
  return kind === 'BANK' ? (banks.get(name) ?? name) : name;
};

type DeliveryLinkProps = { readonly paymentRequestId: string };

/** From a delivery to the log of all of this payment, with the permission to read it. */
const DeliveryLink = ({ paymentRequestId }: DeliveryLinkProps): ReactNode => {
  const address = useAddress();
  const mayRead = useMay('webhooks.read');
  if (!mayRead) return null;
  return (
    <Link to={address('developers/deliveries')} search={{ of: paymentRequestId } as never}>
      Delivery log
    </Link>
  );
};
