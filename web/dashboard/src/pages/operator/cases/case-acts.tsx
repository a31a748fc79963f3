import type { getOperatorCase, ReplyOf } from '@florin/contract';
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { isEnvironment } from '../../../call/tenant.ts';
import { writePounds } from '../../../parts/write-pounds.ts';
import { EnterRefundAccount } from './enter-refund-account.tsx';
import { ResolveCase } from './resolve-case.tsx';

type Case = ReplyOf<typeof getOperatorCase>;

/** What a person can do about an open case: go to the payment, say where a refund goes, resolve it. */
export const CaseActs = ({ of }: { readonly of: Case }): ReactNode => {
  const [isResolving, setIsResolving] = useState(false);
  const [isEntering, setIsEntering] = useState(false);
  const environment = of.environment?.toLowerCase();
  const { paymentRequestId, refundId, amountPence } = of.evidence;
  const { merchantId } = of;
  const isOfTenant = merchantId !== null && isEnvironment(environment);
  const isOpen = of.status === 'OPEN';
  const waits = isOpen && of.kind === 'REFUND_ACCOUNT_NEEDED' && typeof refundId === 'string';
  const amount = typeof amountPence === 'number' ? writePounds(amountPence / 100) : 'the money';
  return (
    <>
      {isOfTenant && typeof paymentRequestId === 'string' && (
        <Button
          variant="default"
          renderRoot={(props) => (
            <Link
              to="/operator/merchants/$merchantId/payments/$paymentRequestId"
              params={{ merchantId, paymentRequestId }}
              search={{ environment }}
              {...props}
            />
          )}
        >
          The payment
        </Button>
      )}
      {isOfTenant && waits && (
        <Button onClick={() => setIsEntering(true)}>Enter the account</Button>
      )}
      {isOpen && (
        <Button variant={waits ? 'default' : 'filled'} onClick={() => setIsResolving(true)}>
          Resolve
        </Button>
      )}
      <ResolveCase of={of} isOpen={isResolving} onClose={() => setIsResolving(false)} />
      {isOfTenant && waits && isEntering && (
        <EnterRefundAccount
          of={{ merchantId, environment, refundId, amount }}
          onClose={() => setIsEntering(false)}
        />
      )}
    </>
  );
};
