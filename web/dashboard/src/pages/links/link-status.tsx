import type { ReactNode } from 'react';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { useLink } from './use-link.ts';

export const LinkStatus = ({
  paymentRequestId,
}: {
  readonly paymentRequestId: string;
}): ReactNode => {
  const { data } = useLink(paymentRequestId);
  return data ? <StatusBadge status={data.status} /> : <span className="soft">–</span>;
};
