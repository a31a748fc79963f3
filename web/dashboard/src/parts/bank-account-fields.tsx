import { limits } from '@florin/contract';
import { Group, Stack, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { typing } from './fields.ts';

export type BankAccount = {
  readonly name: string;
  readonly sortCode: string;
  readonly accountNumber: string;
};

type BankAccountFieldsProps = {
  readonly account: BankAccount;
  readonly onChange: (account: BankAccount) => void;
};

/** Sort codes are typed as people write them, 04-00-04, and kept as digits. */
export const BankAccountFields = ({ account, onChange }: BankAccountFieldsProps): ReactNode => (
  <Stack gap="sm">
    <TextInput
      label="Name on the account"
      required
      maxLength={limits.bankAccountNameLength}
      {...typing(account.name, (name) => onChange({ ...account, name }))}
    />
    <Group grow align="end">
      <TextInput
        label="Sort code"
        required
        inputMode="numeric"
        placeholder="040004"
        maxLength={8}
        {...typing(account.sortCode, (text) => onChange({ ...account, sortCode: digitsOf(text) }))}
        error={complaintOf(account.sortCode, 6)}
      />
      <TextInput
        label="Account number"
        required
        inputMode="numeric"
        placeholder="12345678"
        maxLength={9}
        {...typing(account.accountNumber, (text) =>
          onChange({ ...account, accountNumber: digitsOf(text) }),
        )}
        error={complaintOf(account.accountNumber, 8)}
      />
    </Group>
  </Stack>
);

export const noBankAccount: BankAccount = { name: '', sortCode: '', accountNumber: '' };

export const isBankAccount = ({ name, sortCode, accountNumber }: BankAccount): boolean =>
  name.trim() !== '' && /^\d{6}$/.test(sortCode) && /^\d{8}$/.test(accountNumber);

const digitsOf = (text: string): string => text.replace(/[\s-]/g, '');

const complaintOf = (digits: string, length: number): string | null =>
  digits === '' || new RegExp(`^\\d{0,${length}}$`).test(digits)
    ? null
    : `Must be ${length} digits.`;
