import { ActionIcon } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { useAddress, useTenant } from '../../call/use-operation.ts';
import { Icon } from '../../design/icon.tsx';
import { actsColumn, type Column } from '../../parts/data-table.tsx';
import { ActList } from '../../parts/more-acts.tsx';
import { writeCurl } from '../../parts/write-curl.ts';
import classes from './payment-copies.module.css';

type Copied = { readonly paymentRequestId: string; readonly orderId: string };

/** The column of what a developer looks a payment up by, or hands on. */
export const paymentCopies: Column<Copied> = {
  ...actsColumn,
  cell: (payment) => <PaymentCopies of={payment} />,
};

const PaymentCopies = ({ of }: { readonly of: Copied }): ReactNode => {
  const { paymentRequestId, orderId } = of;
  const address = useAddress();
  const environment = useTenant()?.environment;
  const clipboard = useClipboard({ timeout: 1500 });
  const path = `/api/payments/v1/payment-status/${paymentRequestId}?env=${environment}`;
  const page = `/dashboard${address(`payments/${paymentRequestId}`)}`;
  const copies = [
    { says: 'Copy payment id', text: paymentRequestId },
    { says: 'Copy order', text: orderId },
    { says: 'Copy API call', text: writeCurl(path) },
    { says: 'Copy link to this payment', text: new URL(page, location.href).href },
  ];
  return (
    <span className={classes.copies}>
      <ActList
        acts={copies.map(({ says, text }) => ({ says, onChoose: () => clipboard.copy(text) }))}
        button={(open) => (
          <ActionIcon
            variant="subtle"
            c="var(--soft)"
            size={26}
            aria-label={`Copy details of ${orderId}`}
            onClick={open}
          >
            <Icon name={clipboard.copied ? 'check' : 'more'} size={16} />
          </ActionIcon>
        )}
      />
      <span role="status" className="unseen">
        {clipboard.copied && 'Copied'}
      </span>
    </span>
  );
};
