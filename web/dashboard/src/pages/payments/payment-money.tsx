import { getPaymentMoney } from '@florin/contract/dashboard/index.ts';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useAddress, useMay, useOperation } from '../../call/use-operation.ts';
import { DetailList, SectionCard } from '../../parts/layout.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { DateText, MoneyText } from '../../parts/texts.tsx';

const lookEveryMs = 5_000;

/** What is left of a payment after its fee, and which payout brings it. */
export const PaymentMoney = ({ paymentRequestId }: { readonly paymentRequestId: string }) => {
  const address = useAddress();
  const mayRead = useMay('money.read');
  const mayReadPayouts = useMay('payouts.read');
  const { data } = useOperation(
    getPaymentMoney,
    { params: { paymentRequestId } },
    { enabled: mayRead, refetchEveryMs: lookEveryMs },
  );
  if (!data || data.sold === 0) return null;
  const { sold, refunded, reversed, fees, net, statementText, payouts } = data;
  const pounds = (key: string, amount: number, isAlways = false): ReactNode =>
    (amount !== 0 || isAlways) && <MoneyText key={key} pounds={amount} />;
  return (
    <SectionCard title="What you receive">
      <DetailList
        of={[
          ['Paid', pounds('sold', sold)],
          ['Fee', pounds('fees', fees, true)],
          ['Refunded', pounds('refunded', refunded) || null],
          ['Taken back', pounds('reversed', reversed) || null],
          ['You receive', <strong key="net">{pounds('net', net, true)}</strong>],
          ['The payer’s statement says', statementText],
          ...payouts.map(
            ({ payoutId, reference, status, amount, settledAt }) =>
              [
                `Payout ${reference}`,
                <span key={payoutId}>
                  <MoneyText pounds={amount} /> <StatusBadge status={status} />{' '}
                  {settledAt && <DateText at={settledAt} />}{' '}
                  {mayReadPayouts && <Link to={address(`payouts/${payoutId}`)}>Open</Link>}
                </span>,
              ] as const,
          ),
        ]}
      />
    </SectionCard>
  );
};
