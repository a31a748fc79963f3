import { enterRefundAccount, getOperatorCase, limits, listOperatorCases } from '@florin/contract';
import { Stack, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { Environment } from '../../../call/tenant.ts';
import { useAct } from '../../../call/use-operation.ts';
import { ConfirmAct } from '../../../parts/confirm-act.tsx';

export type WaitingRefund = {
  readonly merchantId: string;
  readonly environment: Environment;
  readonly refundId: string;
  /** "£12.50", or words where the case does not say. */
  readonly amount: string;
};

type EnterRefundAccountProps = { readonly of: WaitingRefund; readonly onClose: () => void };

/** The money goes to the account that is entered here, as soon as it is confirmed. */
export const EnterRefundAccount = ({ of, onClose }: EnterRefundAccountProps): ReactNode => {
  const [name, setName] = useState('');
  const [sortCode, setSortCode] = useState('');
  const [accountNumber, setAccountNumber] = useState('');
  const enter = useAct(enterRefundAccount, { changes: [getOperatorCase, listOperatorCases] });
  const account = { name: name.trim(), sortCode: digits(sortCode), accountNumber };
  const isReady =
    account.name !== '' && account.sortCode.length === 6 && /^\d{8}$/.test(accountNumber);
  const { amount, ...params } = of;
  return (
    <ConfirmAct
      isOpen
      title={`Refund ${amount} to an account, in ${of.environment}`}
      act={`Refund ${amount} to this account`}
      isDangerous={of.environment === 'production'}
      isReady={isReady}
      onConfirm={() => enter.mutateAsync({ params, body: { account } })}
      onClose={onClose}
    >
      <Stack>
        <p>
          {amount} go to the account that you enter here, which must be the one that the customer
          paid from. The refund is handed over next and cannot be called back.
        </p>
        <TextInput
          label="Name on the account"
          required
          maxLength={limits.bankAccountNameLength}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <TextInput
          label="Sort code"
          required
          inputMode="numeric"
          maxLength={8}
          value={sortCode}
          onChange={({ currentTarget }) => setSortCode(currentTarget.value)}
        />
        <TextInput
          label="Account number"
          required
          inputMode="numeric"
          maxLength={8}
          value={accountNumber}
          onChange={({ currentTarget }) => setAccountNumber(currentTarget.value.trim())}
        />
      </Stack>
    </ConfirmAct>
  );
};

/** 18-00-02 as people write it. */
const digits = (text: string): string => text.replace(/[\s-]/g, '');
