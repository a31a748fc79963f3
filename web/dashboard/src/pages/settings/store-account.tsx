import { listOwnStores, setStoreAccount } from '@florin/contract/dashboard/index.ts';
import { Stack } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useAct } from '../../call/use-operation.ts';
import { ConfirmAct } from '../../parts/confirm-act.tsx';
import {
  BankAccountFields,
  isBankAccount,
  noBankAccount,
} from '../operator/merchants/create/bank-account-fields.tsx';
import { type Store, storeName } from './store-name.ts';

type StoreAccountProps = { readonly of: Store; readonly onClose: () => void };

/** The account before is named by its last digits; the new one is typed whole. */
export const StoreAccount = ({ of, onClose }: StoreAccountProps): ReactNode => {
  const [account, setAccount] = useState(noBankAccount);
  const change = useAct(setStoreAccount, { changes: [listOwnStores] });
  const { name, sortCode, accountNumber } = of.bankAccount;
  const isReady = isBankAccount(account);
  const act = isReady ? `Pay to the account ending ${account.accountNumber.slice(-4)}` : 'Change';
  return (
    <ConfirmAct
      isOpen
      isDangerous
      title={`Where the money of ${storeName(of)} goes`}
      act={act}
      isReady={isReady}
      onConfirm={() => change.mutateAsync({ params: { storeId: of.storeId }, body: account })}
      onClose={onClose}
    >
      <Stack>
        <p>
          Now: {name}, sort code {sortCode}, account {accountNumber}. A payout that is open still
          goes there; what comes in from now on goes to the new account. Every owner gets a mail.
        </p>
        <BankAccountFields account={account} onChange={setAccount} />
      </Stack>
    </ConfirmAct>
  );
};
