import {
  type BodyOf,
  getPayoutSettings,
  listAccountBalances,
  type ReplyOf,
  setPayoutSettings,
} from '@florin/contract';
import { NativeSelect, Stack, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useAct, useOperation } from '../../../call/use-operation.ts';
import { ActButton } from '../../../parts/confirm-act.tsx';
import { type Column, DataTable } from '../../../parts/data-table.tsx';
import { NotRead } from '../../../parts/failure-notice.tsx';
import { typing } from '../../../parts/fields.ts';
import { DetailList, SectionCard } from '../../../parts/layout.tsx';
import { parsePercent, parsePounds, writeSortCode } from '../../../parts/numbers.ts';
import { sentenceCase } from '../../../parts/status-badge.tsx';
import { MoneyText } from '../../../parts/texts.tsx';
import type { Operated } from './merchant-page.tsx';

type Account = ReplyOf<typeof listAccountBalances>['data'][number];
type Row = Account['balances'][number] & Pick<Account, 'sortCode' | 'accountNumber'>;

const columns: readonly Column<Row>[] = [
  {
    id: 'account',
    title: 'Ledger account',
    isMain: true,
    cell: ({ account }) => sentenceCase(account),
  },
  {
    id: 'bank',
    title: 'Bank account',
    cell: ({ sortCode, accountNumber }) =>
      sortCode ? `${writeSortCode(sortCode)} ${accountNumber}` : 'No store',
  },
  { id: 'balance', title: 'Balance', isMain: true, pounds: ({ balance }) => Number(balance) },
];

/** By the ledger: what is owed to the merchant is negative. */
export const MerchantBalances = ({ of }: { readonly of: Operated }): ReactNode => {
  const found = useOperation(listAccountBalances, { params: of });
  const rows = found.data?.data.flatMap(({ balances, ...account }) =>
    balances.map((balance) => ({ ...account, ...balance })),
  );
  return (
    <SectionCard title="Balances">
      <DataTable<Row>
        isPlain
        name="balances"
        caption="Balances of the ledger by bank account"
        columns={columns}
        rows={rows}
        rowKey={({ account, sortCode, accountNumber }) => `${account}${sortCode}${accountNumber}`}
        read={found}
        empty={<p className="soft">Nothing is booked yet. The first payment opens the books.</p>}
      />
      {rows && rows.length > 0 && (
        <p className="soft">A debit is positive: what is owed to the merchant is negative.</p>
      )}
    </SectionCard>
  );
};

type Settings = ReplyOf<typeof setPayoutSettings>;

/** When payouts are closed and what they cost. */
export const PayoutSettings = ({ of }: { readonly of: Operated }): ReactNode => {
  const read = useOperation(getPayoutSettings, { params: of });
  const { data: settings } = read;
  return (
    <SectionCard title="Payout settings" acts={<ChangePayouts of={of} />}>
      <NotRead of={read} />
      {settings && (
        <DetailList
          of={[
            ['Paid out', sentenceCase(settings.settlementPeriod)],
            ['Cut-off', `${settings.cutOff} London time`],
            ['Fee per payment', <MoneyText key="fixed" pounds={settings.feeFixed} />],
            ['Percentage fee', `${settings.feeBasisPoints / 100}%`],
          ]}
        />
      )}
      <p className="soft">
        Open payouts finish under the settings they began with. Fees follow the settings at the time
        of payment.
      </p>
    </SectionCard>
  );
};

const periods = [
  { value: '', label: 'Leave as it is' },
  { value: 'DAILY', label: 'Daily' },
  { value: 'WEEKLY', label: 'Weekly' },
  { value: 'MONTHLY', label: 'Monthly' },
] as const;

type Period = Settings['settlementPeriod'];

/** What is left empty stays as it is. */
const ChangePayouts = ({ of }: { readonly of: Operated }): ReactNode => {
  const [period, setPeriod] = useState('');
  const [cutOff, setCutOff] = useState('');
  const [fixed, setFixed] = useState('');
  const [percent, setPercent] = useState('');
  const change = useAct(setPayoutSettings, { changes: [getPayoutSettings] });
  const fixedPence = fixed === '' ? undefined : parsePounds(fixed);
  const basisPoints = percent === '' ? undefined : parsePercent(percent);
  const body: BodyOf<typeof setPayoutSettings> = {
    ...(period && { settlementPeriod: period as Period }),
    ...(cutOff && { cutOff }),
    ...(typeof fixedPence === 'number' && { feeFixed: fixedPence / 100 }),
    ...(typeof basisPoints === 'number' && { feeBasisPoints: basisPoints }),
  };
  const isRight = fixedPence !== null && basisPoints !== null;
  return (
    <ActButton
      size="compact-sm"
      says="Change"
      title={`Payouts of ${of.businessName} in ${of.environment}`}
      act="Change the payout settings"
      isReady={isRight && Object.keys(body).length > 0}
      onConfirm={() => change.mutateAsync({ params: of, body })}
    >
      <Stack>
        <p className="soft">Fields left empty stay as they are.</p>
        <NativeSelect
          label="Paid out"
          description="Refunds need daily payouts"
          data={periods.map((each) => ({ ...each }))}
          {...typing(period, setPeriod)}
        />
        <TextInput
          type="time"
          label="Cut-off"
          description="London time"
          {...typing(cutOff, setCutOff)}
        />
        <TextInput
          label="Fee per bank payment, in pounds"
          inputMode="decimal"
          {...typing(fixed, setFixed)}
          error={fixedPence === null && 'Enter an amount such as 0.20.'}
        />
        <TextInput
          label="Percentage fee"
          inputMode="decimal"
          {...typing(percent, setPercent)}
          error={basisPoints === null && 'Enter a percentage such as 0.75, at most 100.'}
        />
      </Stack>
    </ActButton>
  );
};
