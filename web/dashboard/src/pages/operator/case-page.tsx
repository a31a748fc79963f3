import {
  enterRefundAccount,
  getOperatorCase,
  limits,
  listOperatorCases,
  type ReplyOf,
  resolveOperatorCase,
} from '@florin/contract';
import { Button, Stack, Textarea } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { type Environment, isEnvironment } from '../../call/tenant.ts';
import { useAct, useOperation } from '../../call/use-operation.ts';
import {
  BankAccountFields,
  isBankAccount,
  noBankAccount,
} from '../../parts/bank-account-fields.tsx';
import { ActButton } from '../../parts/confirm-act.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { NotYet } from '../../parts/failure-notice.tsx';
import { typing } from '../../parts/fields.ts';
import { DetailList, PageTitle, SectionCard } from '../../parts/layout.tsx';
import { writePounds } from '../../parts/numbers.ts';
import { StatusBadge, sentenceCase } from '../../parts/status-badge.tsx';
import { CopyText, DateText, MoneyText } from '../../parts/texts.tsx';

type Case = ReplyOf<typeof getOperatorCase>;
type Change = Case['history'][number];

const columns: readonly Column<Change>[] = [
  { id: 'at', title: 'When', isMain: true, at: ({ occurredAt }) => occurredAt },
  { id: 'to', title: 'Status', isMain: true, status: ({ toStatus }) => toStatus },
  { id: 'actor', title: 'By', cell: ({ actor }) => actor },
  { id: 'detail', title: 'Detail', cell: ({ detail }) => detail },
];

export const CasePage = (): ReactNode => {
  const { caseId } = useParams({ from: '/operator/cases/$caseId' });
  const read = useOperation(getOperatorCase, { params: { caseId } });
  const { data } = read;
  if (!data) return <NotYet of={read} />;
  return (
    <>
      <PageTitle
        title={sentenceCase(data.kind)}
        above={<Link to="/operator/cases">Cases</Link>}
        says={<StatusBadge status={data.status} />}
      >
        <CaseActs of={data} />
      </PageTitle>
      <SectionCard title="What happened">
        <p>{data.description}</p>
        <CaseFacts of={data} />
      </SectionCard>
      <SectionCard title="Evidence">
        <Evidence evidence={data.evidence} />
      </SectionCard>
      <SectionCard title="History">
        <DataTable<Change>
          isPlain
          name="case-history"
          caption="What became of the case, the oldest first"
          columns={columns}
          rows={data.history}
          rowKey={({ occurredAt, toStatus }) => `${occurredAt} ${toStatus}`}
          empty={<p className="soft">Nothing has changed since it was opened.</p>}
        />
      </SectionCard>
    </>
  );
};

const CaseFacts = ({ of }: { readonly of: Case }): ReactNode => {
  const { merchantId, environment } = of;
  return (
    <DetailList
      of={[
        [
          'Merchant',
          merchantId && (
            <Link key="merchant" to="/operator/merchants/$merchantId" params={{ merchantId }}>
              {merchantId}
            </Link>
          ),
        ],
        ['Environment', environment && sentenceCase(environment)],
        ['About', <CopyText key="about" text={of.subject} what="subject" />],
        ['Opened', <DateText key="opened" at={of.openedAt} />],
        ['Resolved', of.resolvedAt && <DateText key="resolved" at={of.resolvedAt} />],
        ['Outcome', of.resolution],
        ['Case id', <CopyText key="id" text={of.caseId} what="case id" />],
      ]}
    />
  );
};

/** What the product knew when it opened the case, by its own names. */
const Evidence = ({ evidence }: Pick<Case, 'evidence'>): ReactNode => {
  const known = Object.entries(evidence);
  if (known.length === 0) return <p className="soft">Only what is said above is known.</p>;
  return <DetailList of={known.map(([name, value]) => [wordsOf(name), shownValue(name, value)])} />;
};

/** amountPence: "Amount". Its value is in pounds. */
const wordsOf = (name: string): string =>
  sentenceCase(name.replace(/Pence$/, '').replace(/([a-z])([A-Z])/g, '$1 $2'));

const isTime = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

const shownValue = (name: string, value: unknown): ReactNode => {
  if (value === null) return null;
  if (name.endsWith('Pence')) return <MoneyText pounds={Number(value) / 100} />;
  if (typeof value !== 'string') return <span className="code">{JSON.stringify(value)}</span>;
  if (isTime.test(value)) return <DateText at={value} />;
  return <CopyText text={value} what={wordsOf(name)} />;
};

/** What a person can do about an open case: go to the payment, say where a refund goes, resolve it. */
const CaseActs = ({ of }: { readonly of: Case }): ReactNode => {
  const environment = of.environment?.toLowerCase();
  const { paymentRequestId, refundId, amountPence } = of.evidence;
  const { merchantId } = of;
  const isOfTenant = merchantId !== null && isEnvironment(environment);
  const isOpen = of.status === 'OPEN';
  const waits = isOpen && of.kind === 'REFUND_ACCOUNT_NEEDED' && typeof refundId === 'string';
  const amount = typeof amountPence === 'number' ? writePounds(amountPence / 100) : 'the money';
  return (
    <>
      {isOfTenant && typeof paymentRequestId === 'string' && (
        <Button
          variant="default"
          renderRoot={(props) => (
            <Link
              to="/operator/merchants/$merchantId/payments/$paymentRequestId"
              params={{ merchantId, paymentRequestId }}
              search={{ environment }}
              {...props}
            />
          )}
        >
          The payment
        </Button>
      )}
      {isOfTenant && waits && (
        <EnterRefundAccount of={{ merchantId, environment, refundId, amount }} />
      )}
      {isOpen && <ResolveCase of={of} isFirst={!waits} />}
    </>
  );
};

type ResolveCaseProps = { readonly of: Case; readonly isFirst: boolean };

/** Once: what became of it stays in the history of the case. */
const ResolveCase = ({ of, isFirst }: ResolveCaseProps): ReactNode => {
  const [resolution, setResolution] = useState('');
  const resolve = useAct(resolveOperatorCase, { changes: [getOperatorCase, listOperatorCases] });
  const said = resolution.trim();
  return (
    <ActButton
      says="Resolve"
      variant={isFirst ? 'filled' : 'default'}
      title={`Resolve: ${sentenceCase(of.kind).toLowerCase()}`}
      act="Resolve this case"
      isReady={said !== ''}
      onConfirm={() =>
        resolve.mutateAsync({ params: { caseId: of.caseId }, body: { resolution: said } })
      }
    >
      <p>{of.description}</p>
      <p className="soft">
        This closes the case and moves no money. It cannot be opened again; who resolved it and what
        you write here stay in its history.
      </p>
      <Textarea
        label="Outcome"
        required
        autosize
        minRows={3}
        maxLength={limits.operatorTextLength}
        {...typing(resolution, setResolution)}
      />
    </ActButton>
  );
};

type WaitingRefund = {
  readonly merchantId: string;
  readonly environment: Environment;
  readonly refundId: string;
  /** "£12.50", or words where the case does not say. */
  readonly amount: string;
};

/** The money goes to the account that is entered here, as soon as it is confirmed. */
const EnterRefundAccount = ({ of }: { readonly of: WaitingRefund }): ReactNode => {
  const [account, setAccount] = useState(noBankAccount);
  const enter = useAct(enterRefundAccount, { changes: [getOperatorCase, listOperatorCases] });
  const { amount, ...params } = of;
  return (
    <ActButton
      says="Enter the account"
      variant="filled"
      title={`Refund ${amount} to an account, in ${of.environment}`}
      act={`Refund ${amount} to this account`}
      isDangerous={of.environment === 'production'}
      isReady={isBankAccount(account)}
      onConfirm={() => enter.mutateAsync({ params, body: { account } })}
      onOpen={() => setAccount(noBankAccount)}
    >
      <Stack>
        <p>
          {amount} go to the account that you enter here, which must be the one that the customer
          paid from. The refund is handed over next and cannot be called back.
        </p>
        <BankAccountFields account={account} onChange={setAccount} />
      </Stack>
    </ActButton>
  );
};
