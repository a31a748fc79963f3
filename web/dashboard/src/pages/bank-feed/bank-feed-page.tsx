import { initiateBankAuthorisation, type ReplyOf } from '@florin/contract';
import { listBankLinks } from '@florin/contract/dashboard/index.ts';
import { Alert, Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useAct, useAddress, useMay, useOperation } from '../../call/use-operation.ts';
import { Icon } from '../../design/icon.tsx';
import { type Column, DataTable, statusColumn } from '../../parts/data-table.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { EmptyState, PageTitle } from '../../parts/layout.tsx';
import { useContinued } from '../../parts/table-pager.tsx';
import { inAddress, useFilters } from '../../parts/use-filters.tsx';

type BankLink = ReplyOf<typeof listBankLinks>['data'][number];

const pageSize = 20;

const columns: readonly Column<BankLink>[] = [
  { id: 'bank', title: 'Bank', isMain: true, cell: (link) => link.bankName ?? 'No bank chosen' },
  statusColumn,
  {
    id: 'accounts',
    title: 'Accounts',
    cell: ({ accounts }) => accounts.map(sayAccount).join(', '),
  },
  {
    id: 'balance',
    title: 'Balance',
    pounds: ({ accounts }) => (accounts.length === 0 ? null : sumOf(accounts)),
  },
  { id: 'read', title: 'Read', isExtra: true, at: ({ accounts }) => oldestOf(accounts) },
  { id: 'linked', title: 'Linked', at: ({ linkedAt }) => linkedAt },
  { id: 'confirm', title: 'Confirm before', at: ({ reconfirmBy }) => reconfirmBy },
  { id: 'ended', title: 'Ended', isExtra: true, at: ({ endedAt }) => endedAt },
  { id: 'created', title: 'Started', isExtra: true, at: ({ createdAt }) => createdAt },
];

type Accounts = BankLink['accounts'];

const sayAccount = ({ lastFour }: Accounts[number]): string =>
  lastFour === null ? 'card' : `…${lastFour}`;

/** Null where one of them was not read yet: a sum without it would be another. */
const sumOf = (accounts: Accounts): number | null =>
  accounts.reduce<number | null>(
    (sum, { balance }) => (sum === null || balance === null ? null : sum + balance),
    0,
  );

const oldestOf = (accounts: Accounts): string | null =>
  accounts.map(({ refreshedAt }) => refreshedAt ?? '').sort()[0] || null;

/** Accounts at banks whose balances and transactions can be read. */
export const BankFeedPage = (): ReactNode => {
  const address = useAddress();
  const { filters } = useFilters({ status: inAddress.choice(said) });
  const list = useContinued();
  const mayLink = useMay('bankFeed.write');
  const initiate = useAct(initiateBankAuthorisation);
  const found = useOperation(listBankLinks, { query: { limit: pageSize, before: list.before } });
  const link = async (): Promise<void> => {
    const body = { redirectUrl: `${location.origin}${location.pathname}` };
    const started = await initiate.mutateAsync({ body }).catch(() => null);
    if (started) location.assign(started.url);
  };
  return (
    <>
      <PageTitle title="Bank feed" says="Balances and transactions, straight from the bank">
        {mayLink && (
          <Button
            leftSection={<Icon name="plus" size={16} />}
            loading={initiate.isPending}
            onClick={() => void link()}
          >
            Link a bank
          </Button>
        )}
      </PageTitle>
      {initiate.error && <FailureNotice failure={initiate.error} />}
      <Returned {...filters} />
      <DataTable<BankLink>
        name="bank-links"
        caption="Bank links, the newest first"
        columns={columns}
        rowKey={({ accountAuthId }) => accountAuthId}
        rowLink={({ accountAuthId }) => address(`bank-feed/${accountAuthId}`)}
        read={found}
        pager={list.pagerTo(found.data?.nextBefore)}
        empty={
          <EmptyState title="No bank linked yet" icon="bankFeed">
            Link the account that your payouts go to, and each payout is matched to its line on your
            bank statement. You choose the bank, agree what is shared and log in there. Access is
            read-only, and you can end it at any time.
          </EmptyState>
        }
      />
    </>
  );
};

const said = {
  SUCCESS: 'The bank is linked. Its accounts are below.',
  FAILED: 'The bank did not link the accounts. Try again, or choose another bank.',
  CANCELLED: 'Linking was cancelled. Nothing is shared.',
  EXPIRED: 'Linking timed out. Nothing is shared: start again.',
} as const;

type ReturnedProps = { readonly status: keyof typeof said | undefined };

/** After the hosted page led back, with what it says of the link. */
const Returned = ({ status }: ReturnedProps): ReactNode =>
  status && (
    <Alert
      role="status"
      variant="default"
      mb="md"
      color={status === 'SUCCESS' ? 'teal' : 'orange'}
      title={status === 'SUCCESS' ? 'Linked' : 'Not linked'}
    >
      {said[status]}
    </Alert>
  );
