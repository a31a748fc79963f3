import type { ReplyOf } from '@florin/contract';
import type { getPaymentTimeline } from '@florin/contract/dashboard/index.ts';
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useAddress, useMay } from '../../call/use-operation.ts';
import { DetailList, SectionCard } from '../../parts/layout.tsx';
import { writePounds } from '../../parts/numbers.ts';
import { Badge, type Tone } from '../../parts/status-badge.tsx';
import { CopyText, DateText } from '../../parts/texts.tsx';
import { now, writeAge } from '../../parts/times.ts';

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
          [
            'Answer by',
            waits(dispute) && dispute.respondBy && (
              <span key="by">
                <DateText at={dispute.respondBy} />, {writeAge(new Date(dispute.respondBy), now())}
              </span>
            ),
          ],
          [
            'At the card processor',
            <CopyText key="id" text={dispute.reference} what="id of the dispute" />,
          ],
        ]}
      />
      {paymentRequestId && <AnswerLink of={dispute} paymentRequestId={paymentRequestId} />}
    </SectionCard>
  ));

const AnswerLink = ({
  of: dispute,
  paymentRequestId,
}: {
  readonly of: Dispute;
  readonly paymentRequestId: string;
}): ReactNode => {
  const address = useAddress();
  const mayAnswer = useMay('disputes.answer');
  const isToAnswer = mayAnswer && waits(dispute);
  if (!isToAnswer && dispute.answer === 'DRAFT') return null;
  return (
    <Button
      mt="sm"
      variant={isToAnswer ? 'filled' : 'default'}
      // A link has the accent as its colour, which is the ground here.
      c={isToAnswer ? 'white' : undefined}
      component={Link}
      to={address(`payments/${paymentRequestId}/disputes/${dispute.reference}`)}
    >
      {isToAnswer ? 'Answer the dispute' : 'See the answer'}
    </Button>
  );
};

/** Nothing was sent yet. */
const waits = ({ status, answer }: Dispute): boolean => status === 'OPEN' && answer === 'DRAFT';

export const disputeWords = {
  OPEN: 'Waits for an answer',
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
  if (status === 'WON') return 'It was decided for you: the money is yours.';
  if (status === 'LOST') return `It was decided for the card holder, who got ${pounds} back.`;
  if (!waits(dispute)) return 'It is answered, and their bank decides.';
  if (amount === 0) return 'Their bank asks first: answer, or refund the payment.';
  return `Their bank took ${pounds} back until it is decided. Send proof of the order and of its delivery.`;
};
