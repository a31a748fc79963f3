import { type ReplyOf, verifyLedger } from '@florin/contract';
import { Alert, Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useAct } from '../../call/use-operation.ts';
import { type Column, DataTable, environmentColumn } from '../../parts/data-table.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { EmptyState, PageTitle, SectionCard } from '../../parts/layout.tsx';
import { sentenceCase } from '../../parts/status-badge.tsx';

type Proof = ReplyOf<typeof verifyLedger>;
type Total = Proof['totals'][number];

const columns: readonly Column<Total>[] = [
  {
    id: 'account',
    title: 'Ledger account',
    isMain: true,
    cell: ({ account }) => sentenceCase(account),
  },
  environmentColumn,
  { id: 'balance', title: 'Balance', isMain: true, pence: ({ balancePence }) => balancePence },
];

type BankBalance = Proof['bankBalances'][number];

const bankColumns: readonly Column<BankBalance>[] = [
  {
    id: 'account',
    title: 'Collecting account',
    isMain: true,
    cell: ({ environment }) => sentenceCase(environment),
  },
  { id: 'reported', title: 'Reported', at: ({ reportedAt }) => reportedAt },
  { id: 'balance', title: 'At the bank', isMain: true, pence: (row) => row.balancePence },
  { id: 'difference', title: 'Above our books', pence: (row) => row.differencePence },
  { id: 'reconciled', title: 'Last reconciled', at: ({ reconciledAt }) => reconciledAt },
  { id: 'reconciledBalance', title: 'With', pence: (row) => row.reconciledPence },
];

/** The nightly proof, whenever the operator wants it. It reads all books and changes nothing. */
export const LedgerPage = (): ReactNode => {
  const verify = useAct(verifyLedger);
  return (
    <>
      <PageTitle title="Ledger" says="The books of the whole installation">
        <Button loading={verify.isPending} onClick={() => verify.mutate({})}>
          Check the ledger
        </Button>
      </PageTitle>
      {verify.error && <FailureNotice failure={verify.error} />}
      {verify.data ? (
        <ProofShown proof={verify.data} />
      ) : (
        <div className="card">
          <EmptyState title="Not proved on this page yet" icon="ledger">
            The proof adds up every transaction, account and snapshot and checks each rule about
            money. It also runs every night, and opens a case where something is wrong.
          </EmptyState>
        </div>
      )}
    </>
  );
};

const ProofShown = ({ proof }: { readonly proof: Proof }): ReactNode => {
  const isRight = proof.isBalanced && proof.brokenInvariants.length === 0;
  return (
    <>
      <Alert
        role="status"
        variant="default"
        mb="md"
        color={isRight ? 'teal' : 'red'}
        title={isRight ? 'The books balance' : 'The books do not balance'}
      >
        {isRight
          ? 'Every transaction adds up to zero, every snapshot agrees and no rule is broken.'
          : 'Stop payouts of the merchants below and find the cause before anything is corrected.'}
      </Alert>
      <Wrong title="Transactions that do not add up" subjects={proof.unbalancedTransactions} />
      <Wrong title="Snapshots that differ" subjects={proof.snapshotDifferences} />
      {proof.brokenInvariants.map(({ rule, subjects }) => (
        <Wrong key={rule} title={`Broken: ${rule}`} subjects={subjects} />
      ))}
      <SectionCard title="Balances at the bank">
        <DataTable<BankBalance>
          isPlain
          name="bank-balances"
          caption="Collecting accounts, as their banks reported them last"
          columns={bankColumns}
          rows={proof.bankBalances}
          rowKey={({ environment }) => environment}
          empty={<p className="soft">No bank has reported a balance yet.</p>}
        />
      </SectionCard>
      <SectionCard title="Totals">
        <DataTable<Total>
          isPlain
          name="ledger-totals"
          caption="Totals of the ledger by account"
          columns={columns}
          rows={proof.totals}
          rowKey={({ environment, account }) => `${environment} ${account}`}
          empty={<p className="soft">Nothing is booked yet.</p>}
        />
      </SectionCard>
    </>
  );
};

type WrongProps = { readonly title: string; readonly subjects: readonly string[] };

const Wrong = ({ title, subjects }: WrongProps): ReactNode =>
  subjects.length > 0 && (
    <SectionCard title={title}>
      <ul className="code">
        {subjects.map((subject) => (
          <li key={subject}>{subject}</li>
        ))}
      </ul>
    </SectionCard>
  );
