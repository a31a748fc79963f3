import type { ReplyOf } from '@florin/contract';
import { listFailures } from '@florin/contract/dashboard/index.ts';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { addressOfPage } from '../../../call/tenant.ts';
import { useOperation, useTenant } from '../../../call/use-operation.ts';
import { FailureNotice } from '../../../parts/failure-notice.tsx';
import { SectionCard } from '../../../parts/section-card.tsx';
import { writeCount, writePounds } from '../../../parts/write-pounds.ts';
import type { HomeFilters } from '../home-filters.ts';
import classes from './payment-failures.module.css';

type Reason = ReplyOf<typeof listFailures>['data'][number];

const whose: Readonly<Record<Reason['whoseMove'], string | null>> = {
  MERCHANT: 'You can act',
  PAYER: 'The payer can act',
  BANK: 'The bank can act',
  NONE: null,
};

/** Why payments did not come, in plain words, with what to do. */
export const PaymentFailures = ({ period }: { readonly period: HomeFilters }): ReactNode => {
  const tenant = useTenant();
  const { data, error, refetch } = useOperation(listFailures, { query: period });
  if (error) return <FailureNotice failure={error} onRetry={() => void refetch()} />;
  if (!data || !tenant) return null;
  return (
    <SectionCard title="Why payments failed">
      {data.data.length === 0 && <p className="soft">No attempt failed in these days.</p>}
      <ul className={classes.reasons}>
        {data.data.map((reason) => (
          <li key={`${reason.reason} ${reason.method}`}>
            <div>
              <h3>{reason.title}</h3>
              <p>{reason.advice}</p>
              <p className="soft">
                {whose[reason.whoseMove] && `${whose[reason.whoseMove]} · `}
                {reason.method === 'CARD' ? 'Card' : 'Bank'} ·{' '}
                <span className="code">{reason.reason}</span>
              </p>
              <p className={classes.latest}>
                Latest:{' '}
                {reason.latestPaymentRequestIds.map((id) => (
                  <Link key={id} to={addressOfPage(tenant, `payments/${id}`)} className="code">
                    {id.slice(0, 8)}
                  </Link>
                ))}
              </p>
            </div>
            <p className={classes.count}>
              <strong className="figures">{writeCount(reason.count)}</strong>
              <span className="figures soft">{writePounds(reason.amount)}</span>
            </p>
          </li>
        ))}
      </ul>
    </SectionCard>
  );
};
