import { type EventType, type ReplyOf, replayWebhooks } from '@florin/contract';
import {
  getDelivery,
  listDeliveries,
  listWebhookHealth,
} from '@florin/contract/dashboard/index.ts';
import { Alert } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useAct, useAddress, useMay, useOperation } from '../../call/use-operation.ts';
import { ActButton } from '../../parts/confirm-act.tsx';
import { NotYet } from '../../parts/failure-notice.tsx';
import { DetailList, PageTitle, SectionCard } from '../../parts/layout.tsx';
import { CodeBlock } from '../../parts/raw-json.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { CopyText, DateText } from '../../parts/texts.tsx';
import { WhyText } from './deliveries-page.tsx';

const lookEveryMs = 3_000;

type Subject = 'PAYMENT' | 'REFUND';

/** What the id in an event is of. A test event is about nothing that is there. */
const subjectOf: Readonly<Record<string, Subject>> = {
  PAYMENTS_STATUS: 'PAYMENT',
  EXPIRED_STATUS: 'PAYMENT',
  REFUND_STATUS: 'REFUND',
  POS_PAYMENT_STATUS: 'PAYMENT',
} satisfies Record<EventType, Subject>;

/** One delivery: why it failed, each attempt with the answer, and the body that was sent. */
export const DeliveryPage = (): ReactNode => {
  const address = useAddress();
  const params = useParams({
    from: '/$merchantId/$environment/developers/deliveries/$endpointId/$deliveryId',
  });
  const read = useOperation(getDelivery, { params }, { refetchEveryMs: lookEveryMs });
  const { data: delivery } = read;
  if (!delivery) return <NotYet of={read} />;
  const endpoint = address(`developers/webhooks/${delivery.endpointId}`);
  const subject = delivery.kind === 'TEST' ? null : subjectOf[delivery.eventType];
  const payment = <Link to={address(`payments/${delivery.resourceId}`)}>Open the payment</Link>;
  const refund = <CopyText text={delivery.resourceId} what="refund id" />;
  return (
    <>
      <PageTitle
        title={delivery.eventType}
        above={<Link to={address('developers/deliveries')}>Deliveries</Link>}
        says={
          <>
            <StatusBadge status={delivery.state} /> to <Link to={endpoint}>{delivery.url}</Link>
          </>
        }
      >
        <DeliverAgain
          endpointId={delivery.endpointId}
          eventId={delivery.eventId}
          url={delivery.url}
          isNeeded={delivery.state !== 'DELIVERED'}
        />
      </PageTitle>
      <WhyText why={delivery.why} />
      <SectionCard title="Delivery">
        <DetailList
          of={[
            ['Event', <CopyText key="event" text={delivery.eventId} what="event id" />],
            ['Kind', delivery.kind === 'LIVE' ? null : delivery.kind],
            ['Created', <DateText key="created" at={delivery.createdAt} />],
            ['Next attempt', delivery.nextAttemptAt && <DateText at={delivery.nextAttemptAt} />],
            ['Payment', subject === 'PAYMENT' ? payment : null],
            ['Refund', subject === 'REFUND' ? refund : null],
          ]}
        />
      </SectionCard>
      {delivery.log.toReversed().map((attempt) => (
        <AttemptCard key={`${attempt.attempt} ${attempt.attemptedAt}`} attempt={attempt} />
      ))}
      <SectionCard title="What was sent">
        {delivery.body === null ? (
          <p className="soft">The body is deleted after 90 days.</p>
        ) : (
          <CodeBlock text={delivery.body} what="body" />
        )}
      </SectionCard>
    </>
  );
};

type DeliverAgainProps = {
  readonly endpointId: string;
  readonly eventId: string;
  readonly url: string;
  /** It has not arrived. */
  readonly isNeeded: boolean;
};

const DeliverAgain = ({ endpointId, eventId, url, isNeeded }: DeliverAgainProps): ReactNode => {
  const [isSent, setIsSent] = useState(false);
  const mayReplay = useMay('webhooks.write');
  const replay = useAct(replayWebhooks, {
    changes: [getDelivery, listDeliveries, listWebhookHealth],
  });
  if (!mayReplay) return null;
  return (
    <>
      {isSent && (
        <Alert variant="default" role="status">
          It is being sent again.
        </Alert>
      )}
      <ActButton
        says="Deliver again"
        variant={isNeeded ? 'filled' : 'default'}
        title="Deliver this event again"
        act="Deliver again"
        onConfirm={async () => {
          await replay.mutateAsync({ params: { endpointId }, body: { eventId } });
          setIsSent(true);
        }}
      >
        <p>
          The same event with the same id goes to <span className="code">{url}</span> now, and is
          tried for 24 hours. A program that has seen the id should ignore it.
        </p>
      </ActButton>
    </>
  );
};

type Attempt = ReplyOf<typeof getDelivery>['log'][number];

/** One attempt: how long each part took, and what came back. */
export const AttemptCard = ({ attempt }: { readonly attempt: Attempt }): ReactNode => (
  <SectionCard
    title={`Attempt ${attempt.attempt}: ${attempt.status ?? attempt.outcome.toLowerCase()}`}
    acts={<DateText at={attempt.attemptedAt} />}
  >
    <WhyText why={attempt.why} />
    <DetailList
      of={[
        ['Took', milliseconds(attempt.totalMs)],
        ['Name look-up', milliseconds(attempt.dnsMs)],
        ['Connection', milliseconds(attempt.connectMs)],
        ['First byte', milliseconds(attempt.firstByteMs)],
        ['Retry-After', attempt.retryAfterSeconds && `${attempt.retryAfterSeconds} s`],
        ['Note', attempt.superseded ? 'Another worker took it over, so it did not count.' : null],
      ]}
    />
    {attempt.responseBody !== null && (
      <>
        <h3>What came back</h3>
        {attempt.responseBody === '' ? (
          <p className="soft">Empty body.</p>
        ) : (
          <CodeBlock text={attempt.responseBody} what="response" />
        )}
      </>
    )}
    <Headers title="Headers sent" headers={attempt.requestHeaders} />
    <Headers title="Headers received" headers={attempt.responseHeaders} />
  </SectionCard>
);

const milliseconds = (ms: number | null): string | null =>
  ms === null ? null : `${Math.round(ms)} ms`;

type HeadersProps = { readonly title: string; readonly headers: object | null };

const Headers = ({ title, headers }: HeadersProps): ReactNode =>
  headers && (
    <details>
      <summary>{title}</summary>
      <CodeBlock
        text={Object.entries(headers)
          .map(([name, value]) => `${name}: ${value}`)
          .join('\n')}
        what="headers"
      />
    </details>
  );
