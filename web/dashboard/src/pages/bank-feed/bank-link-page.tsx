import {
  getBankAuthorisation,
  getBankBalance,
  listBankAccounts,
  type ReplyOf,
  revokeBankAuthorisation,
} from '@florin/contract';
import { listBankLinks } from '@florin/contract/dashboard/index.ts';
import { Button } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useAct, useAddress, useMay, useOperation } from '../../call/use-operation.ts';
import { ActButton } from '../../parts/confirm-act.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { NotYet } from '../../parts/failure-notice.tsx';
import { DetailList, PageTitle, SectionCard } from '../../parts/layout.tsx';
import { writeSortCode } from '../../parts/numbers.ts';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { CopyText, DateText, MoneyText } from '../../parts/texts.tsx';

type Account = ReplyOf<typeof listBankAccounts>[number];
type Authorisation = ReplyOf<typeof getBankAuthorisation>;

const columns: readonly Column<Account>[] = [
  {
    id: 'number',
    title: 'Account',
    isMain: true,
    cell: ({ accountNumber }) => accountNumber ?? 'Card account',
  },
  { id: 'sort', title: 'Sort code', cell: ({ sortCode }) => writeSortCode(sortCode) },
  {
    id: 'balance',
    title: 'Balance',
    isRight: true,
    isMain: true,
    cell: ({ accountId }) => <Balance accountId={accountId} />,
  },
];

/** Each account answers for itself: one that fails does not hide the others. */
const Balance = ({ accountId }: Pick<Account, 'accountId'>): ReactNode => {
  const { data, error } = useOperation(getBankBalance, { params: { accountId } });
  if (error) return <span className="soft">{error.message}</span>;
  return <MoneyText pounds={data?.balance} />;
};

const openStates: readonly string[] = ['OPEN', 'AT_BANK', 'EXCHANGING'];
const lookEveryMs = 5_000;

export const BankLinkPage = (): ReactNode => {
  const address = useAddress();
  const { accountAuthId } = useParams({
    from: '/$merchantId/$environment/bank-feed/$accountAuthId',
  });
  const params = { accountAuthId };
  const read = useOperation(getBankAuthorisation, { params }, { refetchEveryMs: lookEveryMs });
  const { data: link } = read;
  const isLinked = link?.status === 'LINKED';
  const accounts = useOperation(listBankAccounts, { params }, { enabled: isLinked });
  if (!link) return <NotYet of={read} />;
  return (
    <>
      <PageTitle
        title={link.bankName ?? 'No bank chosen'}
        above={<Link to={address('bank-feed')}>Bank feed</Link>}
        says={<StatusBadge status={link.status} />}
      >
        {openStates.includes(link.status) && (
          <Button component="a" href={link.url}>
            Continue linking
          </Button>
        )}
        {!link.endedAt && <RevokeLink link={link} accounts={accounts.data?.length ?? 0} />}
      </PageTitle>
      {isLinked && (
        <SectionCard title="Accounts">
          <DataTable<Account>
            isPlain
            name="bank-accounts"
            caption={`Accounts at ${link.bankName}`}
            columns={columns}
            rows={accounts.data}
            rowKey={({ accountId }) => accountId}
            rowLink={({ accountId }) => address(`bank-feed/${accountAuthId}/${accountId}`)}
            read={accounts}
            empty={<p className="soft">The bank has shared no accounts.</p>}
          />
        </SectionCard>
      )}
      <SectionCard title="Bank link">
        <DetailList
          of={[
            ['Linked', link.linkedAt && <DateText key="linked" at={link.linkedAt} />],
            ['Confirm before', link.reconfirmBy && <DateText key="by" at={link.reconfirmBy} />],
            ['Ended', link.endedAt && <DateText key="ended" at={link.endedAt} />],
            ['Bank link id', <CopyText key="id" text={accountAuthId} what="bank link id" />],
          ]}
        />
      </SectionCard>
    </>
  );
};

type RevokeLinkProps = { readonly link: Authorisation; readonly accounts: number };

const RevokeLink = ({ link, accounts }: RevokeLinkProps): ReactNode => {
  const mayRevoke = useMay('bankFeed.write');
  const revoke = useAct(revokeBankAuthorisation, {
    changes: [getBankAuthorisation, listBankLinks],
  });
  if (!mayRevoke) return null;
  const bank = link.bankName ?? 'this bank';
  const { accountAuthId } = link;
  return (
    <ActButton
      says="End the link"
      act={`End the link to ${bank}`}
      isDangerous
      onConfirm={() => revoke.mutateAsync({ body: { accountAuthId } })}
    >
      <p>
        {accounts === 0
          ? 'Access ends, and what was read is deleted.'
          : `${accounts === 1 ? 'One account is' : `${accounts} accounts are`} no longer read, and ` +
            'their balances and transactions are deleted here.'}{' '}
        No money moves. To restore access, link the bank again.
      </p>
    </ActButton>
  );
};
