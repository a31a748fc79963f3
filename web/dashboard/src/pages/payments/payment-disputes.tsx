import type { ReplyOf } from '@florin/contract';
import type { getPaymentTimeline } from '@florin/contract/dashboard/index.ts';
import type { ReactNode } from 'react';
import { DetailList, SectionCard } from '../../parts/layout.tsx';
import { writePounds } from '../../parts/numbers.ts';
import { Badge, type Tone } from '../../parts/status-badge.tsx';
import { CopyText, DateText } from '../../parts/texts.tsx';
import { now, writeAge } from '../../parts/times.ts';

export type Dispute = ReplyOf<typeof getPaymentTimeline>['disputes'][number];

/** What a card holder contests, what became of the money, and until when it can be answered. */
export const PaymentDisputes = ({ of }: { readonly of: readonly Dispute[] }): ReactNode =>
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
            dispute.respondBy && (
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
    </SectionCard>
  ));

export const disputeWords = {
  OPEN: 'Waits for an answer',
  WON: 'Won',
  LOST: 'Lost',
} as const satisfies Record<Dispute['status'], string>;

const tones: Readonly<Record<Dispute['status'], Tone>> = { OPEN: 'warn', WON: 'good', LOST: 'bad' };

export const DisputeBadge = ({ of }: { readonly of: Dispute }): ReactNode => (
  <Badge tone={tones[of.status]}>{disputeWords[of.status]}</Badge>
);

const outcomeOf = ({ status, amount }: Dispute): string => {
  const pounds = writePounds(amount);
  if (status === 'WON') return 'It was decided for you: the money is yours.';
  if (status === 'LOST') return `It was decided for the card holder, who got ${pounds} back.`;
  if (amount === 0) return 'Their bank asks first: answer, or refund the payment.';
  return `Their bank took ${pounds} back until it is decided. Send proof of the order and of its delivery.`;
};
