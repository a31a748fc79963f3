import { type BodyOf, createMerchant, limits, listMerchants, type ReplyOf } from '@florin/contract';
import { Fieldset, Stack, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useAct } from '../../../../call/use-operation.ts';
import { ConfirmAct } from '../../../../parts/confirm-act.tsx';
import {
  type BankAccount,
  BankAccountFields,
  isBankAccount,
  noBankAccount,
} from './bank-account-fields.tsx';
import { CreatedMerchant } from './created-merchant.tsx';

type CreateMerchantProps = { readonly isOpen: boolean; readonly onClose: () => void };

/** A new merchant; its secrets are shown once, in the dialog that follows. */
export const CreateMerchant = ({ isOpen, onClose }: CreateMerchantProps): ReactNode => {
  const [businessName, setBusinessName] = useState('');
  const [ownerEmail, setOwnerEmail] = useState('');
  const [sandbox, setSandbox] = useState<BankAccount>(noBankAccount);
  const [production, setProduction] = useState<BankAccount>(noBankAccount);
  const [created, setCreated] = useState<ReplyOf<typeof createMerchant> | null>(null);
  const create = useAct(createMerchant, { changes: [listMerchants] });
  const name = businessName.trim();
  const send = async (): Promise<void> => {
    const body: BodyOf<typeof createMerchant> = {
      businessName: name,
      bankAccounts: { SANDBOX: sandbox, PRODUCTION: production },
      ...(ownerEmail.trim() && { ownerEmail: ownerEmail.trim() }),
    };
    setCreated(await create.mutateAsync({ body }));
  };
  return (
    <>
      <ConfirmAct
        isOpen={isOpen}
        title="New merchant"
        act={name ? `Create ${name}` : 'Create'}
        isReady={name !== '' && isBankAccount(sandbox) && isBankAccount(production)}
        onConfirm={send}
        onClose={onClose}
      >
        <Stack>
          <TextInput
            label="Business name"
            description="Payers see it on the payment page and on their statement"
            required
            maxLength={limits.businessNameLength}
            value={businessName}
            onChange={({ currentTarget }) => setBusinessName(currentTarget.value)}
          />
          <TextInput
            type="email"
            label="E-mail of the owner"
            description="Where mail about this merchant goes"
            value={ownerEmail}
            onChange={({ currentTarget }) => setOwnerEmail(currentTarget.value)}
          />
          <Fieldset legend="Bank account in the sandbox">
            <BankAccountFields account={sandbox} onChange={setSandbox} />
          </Fieldset>
          <Fieldset legend="Bank account in production">
            <BankAccountFields account={production} onChange={setProduction} />
          </Fieldset>
        </Stack>
      </ConfirmAct>
      <CreatedMerchant name={name} created={created} onClose={() => setCreated(null)} />
    </>
  );
};
