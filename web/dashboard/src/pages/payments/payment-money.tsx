import type { ReplyOf } from '@florin/contract';
import { getPaymentMoney } from '@florin/contract/dashboard/index.ts';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useAddress, useMay, useOperation } from '../../call/use-operation.ts';
import { DetailList, SectionCard } from '../../parts/layout.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { DateText, MoneyText } from '../../parts/texts.tsx';
import classes from './payment-money.module.css';

const lookEveryMs = 5_000;
const shownAlways: readonly string[] = ['Paid', 'Fee', 'You receive'];

/** What is left of a payment after its fee, and which payout brings it. */
export const PaymentMoney = ({ paymentRequestId }: { readonly paymentRequestId: string }) => {
  const mayRead = useMay('money.read');
  const { data } = useOperation(
    getPaymentMoney,
    { params: { paymentRequestId } },
    { enabled: mayRead, refetchEveryMs: lookEveryMs },
  );
  if (!data || data.sold === 0) return null;
  const { sold, refunded, reversed, fees, net, statementText, paidDirectly, payouts } = data;
  return (
    <SectionCard title="What you receive">
      <div className={classes.sides}>
        <dl className={classes.sum}>
          {(
            [
              ['Paid', sold],
              ['Refunded', 0 - refunded],
              ['Taken back', 0 - reversed],
              ['Fee', 0 - fees],
              ['You receive', net],
            ] as const
          )
            .filter(([title, amount]) => amount !== 0 || shownAlways.includes(title))
            .map(([title, amount]) => (
              <div key={title} data-net={title === 'You receive' || undefined}>
                <dt>{title}</dt>
                <dd>
                  <MoneyText pounds={amount} />
                </dd>
              </div>
            ))}
        </dl>
        <DetailList
          of={[
            ['On their statement', statementText],
            [
              'How it reaches you',
              // Also of what was taken back since.
              paidDirectly !== 0 || statementText === null
                ? 'Directly from the card processor, in its own payouts'
                : null,
            ],
            ...payouts.map(
              (payout) => [payoutTitle(payout), <Way key={payout.payoutId} of={payout} />] as const,
            ),
          ]}
        />
      </div>
    </SectionCard>
  );
};

type Payout = ReplyOf<typeof getPaymentMoney>['payouts'][number];

/** What has become of a payout says on which day its money comes. */
const payoutTitle = ({ status }: Payout): string => {
  if (status === 'FAILED') return 'In a payout that failed';
  return status === 'SETTLED' ? 'Paid out to you' : 'Comes to you';
};

/** "£23.90 in the payout due 30 Dec, 17:00"; once it has left, "in the payout paid out 30 Dec, 17:00". */
const Way = ({ of: payout }: { readonly of: Payout }): ReactNode => {
  const address = useAddress();
  const mayRead = useMay('payouts.read');
  const { payoutId, reference, amount, status, settledAt, closesAt } = payout;
  const words = (
    <>
      <MoneyText pounds={amount} /> in the payout {settledAt ? 'paid out' : 'due'}{' '}
      <DateText isShort at={settledAt ?? closesAt} />
    </>
  );
  return (
    <>
      {mayRead ? <Link to={address(`payouts/${payoutId}`)}>{words}</Link> : words}
      <br />
      <StatusBadge status={status} /> <span className="code soft">{reference}</span>
    </>
  );
};
