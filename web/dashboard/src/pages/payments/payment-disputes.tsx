import type { ReplyOf } from '@florin/contract';
import type { getPaymentTimeline } from '@florin/contract/dashboard/index.ts';
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useAddress } from '../../call/use-operation.ts';
import { DetailList, SectionCard } from '../../parts/layout.tsx';
import { writePounds } from '../../parts/numbers.ts';
import { Badge, type Tone } from '../../parts/status-badge.tsx';
import { CopyText, DateText } from '../../parts/texts.tsx';
import { now, writeAge } from '../../parts/times.ts';
import classes from './payment-disputes.module.css';

export type Dispute = ReplyOf<typeof getPaymentTimeline>['disputes'][number];

type PaymentDisputesProps = {
  readonly of: readonly Dispute[];
  /** Where each leads to its page. */
  readonly paymentRequestId: string | null;
};

/** What a card holder contests, what became of the money, and until when it can be answered. */
export const PaymentDisputes = ({ of, paymentRequestId }: PaymentDisputesProps): ReactNode =>
  of.map((dispute) => (
    <SectionCard
      key={dispute.reference}
      title={dispute.status === 'OPEN' ? 'Disputed' : 'Dispute'}
      acts={<DisputeBadge of={dispute} />}
    >
      <p>
        {dispute.reason} {outcomeOf(dispute)}
      </p>
      <DetailList
        of={[
          ['Amount', dispute.amount > 0 ? writePounds(dispute.amount) : 'No money was taken'],
          ['Opened', dispute.openedAt && <DateText key="opened" at={dispute.openedAt} />],
          [
            'Answer by',
            waits(dispute) && dispute.respondBy && (
              <span
                key="by"
                className={classes.by}
                data-tone={isSoon(dispute.respondBy) ? 'bad' : 'warn'}
              >
                <DateText at={dispute.respondBy} />, {writeAge(new Date(dispute.respondBy), now())}
              </span>
            ),
          ],
          [
            'Processor’s dispute id',
            <CopyText key="id" text={dispute.reference} what="id of the dispute" />,
          ],
        ]}
      />
      {paymentRequestId && <AnswerLink of={dispute} paymentRequestId={paymentRequestId} />}
    </SectionCard>
  ));

/** The head of the payment leads to one that is to be answered. */
const AnswerLink = ({
  of: dispute,
  paymentRequestId,
}: {
  readonly of: Dispute;
  readonly paymentRequestId: string;
}): ReactNode => {
  const address = useAddress();
  if (dispute.answer === 'DRAFT') return null;
  return (
    <Button
      mt="sm"
      variant="default"
      component={Link}
      to={address(`disputes/${paymentRequestId}/${dispute.reference}`)}
    >
      See the answer
    </Button>
  );
};

const soonMs = 72 * 3_600_000;

/** Within three days. */
export const isSoon = (by: string): boolean => new Date(by).getTime() - now().getTime() < soonMs;

/** Nothing was sent yet. */
const waits = ({ status, answer }: Dispute): boolean => status === 'OPEN' && answer === 'DRAFT';

export const disputeWords = {
  OPEN: 'Needs an answer',
  WON: 'Won',
  LOST: 'Lost',
} as const satisfies Record<Dispute['status'], string>;

const tones: Readonly<Record<Dispute['status'], Tone>> = { OPEN: 'warn', WON: 'good', LOST: 'bad' };

export const DisputeBadge = ({ of }: { readonly of: Dispute }): ReactNode =>
  of.status === 'OPEN' && !waits(of) ? (
    <Badge tone="calm">Answered</Badge>
  ) : (
    <Badge tone={tones[of.status]}>{disputeWords[of.status]}</Badge>
  );

const outcomeOf = (dispute: Dispute): string => {
  const { status, amount } = dispute;
  const pounds = writePounds(amount);
  if (status === 'WON') return 'Decided in your favour: the money is yours.';
  if (status === 'LOST') return `Decided for the customer, who got ${pounds} back.`;
  if (!waits(dispute)) return 'Answered. Their bank will decide.';
  if (amount === 0)
    return 'Their bank is asking before it takes the money: answer, or refund the payment.';
  return `Their bank has taken ${pounds} back until it is decided. Send proof of the order and its delivery.`;
};
