import { payInSandbox, requestPayment, searchTransactions } from '@florin/contract';
import { Button, Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { addressOfPage } from '../../../call/tenant.ts';
import { useAct, useTenant } from '../../../call/use-operation.ts';
import { FailureNotice } from '../../../parts/failure-notice.tsx';
import { SectionCard } from '../../../parts/section-card.tsx';
import { StatusBadge } from '../../../parts/status-badge.tsx';

const outcomes = [
  { outcome: 'COMPLETED', title: 'Paid', says: 'the bank accepts and settles it' },
  { outcome: 'FAILED', title: 'Rejected', says: 'the bank refuses it' },
  { outcome: 'CANCELLED', title: 'Declined', says: 'the payer says no at the bank' },
  { outcome: 'PENDING', title: 'Pending', says: 'the bank takes its time' },
] as const;

type Outcome = (typeof outcomes)[number]['outcome'];

const amount = 12.5;

/** A button for each outcome makes a payment of £12.50 and pays it through the whole real flow. */
export const TryOutcomes = (): ReactNode => {
  const tenant = useTenant();
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
        {isBusy && 'A payer pays now…'}
        {made && tenant && (
          <>
            <StatusBadge status={made.status} />{' '}
            <Link to={addressOfPage(tenant, `payments/${made.id}`)}>Open the payment</Link>
          </>
        )}
      </p>
    </SectionCard>
  );
};
