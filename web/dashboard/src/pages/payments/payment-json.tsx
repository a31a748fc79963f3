import type { getPaymentStatus, ReplyOf } from '@florin/contract';
import type { ReactNode } from 'react';
import type { Environment } from '../../call/tenant.ts';
import { RawJson } from '../../parts/raw-json.tsx';
import { writeCurl } from '../../parts/write-curl.ts';

type PaymentJsonProps = {
  readonly payment: ReplyOf<typeof getPaymentStatus>;
  readonly environment: Environment;
};

/** As the API answers it. */
export const PaymentJson = ({ payment, environment }: PaymentJsonProps): ReactNode => {
  const path = `/api/payments/v1/payment-status/${payment.paymentRequestId}?env=${environment}`;
  return <RawJson value={payment} curl={writeCurl(path)} />;
};
