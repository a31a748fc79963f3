import { listAccountBalances, type ReplyOf } from '@florin/contract';
import type { ReactNode } from 'react';
import { useOperation } from '../../../../call/use-operation.ts';
import { sentenceCase } from '../../../../parts/describe-status.ts';
import { MoneyText } from '../../../../parts/money-text.tsx';
import { SectionCard } from '../../../../parts/section-card.tsx';
import { type Column, DataTable } from '../../../../parts/table/data-table.tsx';
import { type Operated, paramsOf } from './operated.ts';

type Account = ReplyOf<typeof listAccountBalances>['data'][number];
type Row = Account['balances'][number] & Pick<Account, 'sortCode' | 'accountNumber'>;

const columns: readonly Column<Row>[] = [
  {
    id: 'account',
    title: 'Account of the ledger',
    isMain: true,
    cell: ({ account }) => sentenceCase(account),
  },
  {
    id: 'bank',
    title: 'Bank account',
    cell: ({ sortCode, accountNumber }) =>
      sortCode ? `${sortCode} ${accountNumber}` : 'Of no store',
  },
  {
    id: 'balance',
    title: 'Balance',
    isRight: true,
    isMain: true,
    cell: ({ balance }) => <MoneyText pounds={Number(balance)} />,
  },
];

/** By the ledger: what is owed to the merchant is negative. */
export const MerchantBalances = ({ of }: { readonly of: Operated }): ReactNode => {
  const found = useOperation(listAccountBalances, { params: paramsOf(of) });
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
        failure={found.error}
        onRetry={() => void found.refetch()}
        empty={<p className="soft">Nothing is booked yet. The first payment opens the books.</p>}
      />
      {rows && rows.length > 0 && (
        <p className="soft">A debit is positive: what is owed to the merchant is negative.</p>
      )}
    </SectionCard>
  );
};
