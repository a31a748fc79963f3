import {
  limits,
  listBankMessages,
  listCredits,
  listOperatorCases,
  matchCredit,
  type ReplyOf,
  takeBankMessageAgain,
} from '@florin/contract';
import { Stack, Tabs, Textarea, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { isEnvironment } from '../../call/tenant.ts';
import { useAct, useOperation } from '../../call/use-operation.ts';
import { ActButton } from '../../parts/confirm-act.tsx';
import {
  actsColumn,
  amountColumn,
  type Column,
  DataTable,
  environmentColumn,
  statusColumn,
} from '../../parts/data-table.tsx';
import { typing, useTyped } from '../../parts/fields.ts';
import { choicesOf } from '../../parts/filters.ts';
import { EmptyState, PageTitle } from '../../parts/layout.tsx';
import { writePounds } from '../../parts/numbers.ts';
import { sentenceCase } from '../../parts/status-badge.tsx';
import { DateText } from '../../parts/texts.tsx';
import { inAddress, oneOfFew, useFilters } from '../../parts/use-filters.tsx';

const queueWords = { messages: 'Messages put aside', credits: 'Credits' } as const;
/** First what waits for a person; what is matched is there for who looks for it. */
const filters = {
  queue: inAddress.choice(queueWords),
  status: oneOfFew(
    'Which credits',
    { UNMATCHED: 'Not matched', MATCHED: 'Matched', ALL: 'All' },
    'UNMATCHED',
  ),
};

/** What waits because no program can tell what it means. */
export const QueuesPage = (): ReactNode => {
  const { filters: chosen, change } = useFilters(filters);
  const { queue = 'messages' } = chosen;
  return (
    <>
      <PageTitle title="Queues" says="What the bank sent that no payment or payout explains" />
      <Tabs
        value={queue}
        keepMounted={false}
        onChange={(value) =>
          change({ queue: value === 'credits' ? 'credits' : undefined, status: undefined })
        }
      >
        <Tabs.List mb="md">
          {choicesOf(queueWords).map((each) => (
            <Tabs.Tab key={each} value={each}>
              {queueWords[each]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="messages">
          <BankMessages />
        </Tabs.Panel>
        <Tabs.Panel value="credits">
          <Credits />
        </Tabs.Panel>
      </Tabs>
    </>
  );
};

type Message = ReplyOf<typeof listBankMessages>['data'][number];

const pageSize = 25;

const columns: readonly Column<Message>[] = [
  { id: 'kind', title: 'Message', isMain: true, cell: ({ kind }) => sentenceCase(kind) },
  { id: 'received', title: 'Received', at: ({ receivedAt }) => receivedAt },
  { id: 'reason', title: 'Why it was put aside', cell: ({ reason }) => reason },
  environmentColumn,
  { id: 'reference', title: 'Reference', copied: ({ reference }) => reference },
  { id: 'again', title: 'Process again', cell: (message) => <TakeAgain of={message} /> },
  { id: 'answers', title: 'About the batch', isExtra: true, copied: (row) => row.answers },
  {
    id: 'text',
    title: 'Begins with',
    isExtra: true,
    cell: ({ text }) => text && <span className="code">{text}</span>,
  },
];

/** From the text that is kept here. */
const TakeAgain = ({ of }: { readonly of: Message }): ReactNode => {
  const take = useAct(takeBankMessageAgain, { changes: [listBankMessages] });
  const { environment, reference, reason } = of;
  if (of.againAt !== null) return 'As soon as a worker is free';
  if (!of.isKept) return 'Its text is not kept';
  return (
    <ActButton
      size="compact-sm"
      says="Process again"
      title="Process the message again"
      act="Process again"
      onConfirm={() => take.mutateAsync({ body: { environment, reference } })}
    >
      <p>{reason}</p>
      <p className="soft">
        Once that is mended, a worker processes the copy kept here. Nothing is changed twice. If it
        still cannot be processed, it is put aside again with the new reason.
      </p>
    </ActButton>
  );
};

const BankMessages = (): ReactNode => {
  const { page, onPage } = useFilters(filters);
  const found = useOperation(listBankMessages, { query: { page: page - 1, size: pageSize } });
  return (
    <DataTable<Message>
      name="bank-messages"
      caption="Messages of the bank that were put aside, the newest first"
      columns={columns}
      rowKey={({ environment, reference, receivedAt }) => `${environment}${reference}${receivedAt}`}
      read={found}
      pager={{ page, size: pageSize, total: found.data?.totalCount, onPage }}
      empty={
        <EmptyState title="No messages put aside" icon="check">
          A bank report that cannot be read, or that matches nothing we sent, waits here and moves
          no money. A case is opened for it.
        </EmptyState>
      }
    />
  );
};

const creditColumns: readonly Column<Credit>[] = [
  amountColumn(({ amount }) => Number(amount)),
  statusColumn,
  { id: 'booked', title: 'Booked', cell: ({ bookedOn }) => <DateText at={bookedOn} isDay /> },
  {
    id: 'text',
    title: 'On the statement',
    cell: ({ remittance, endToEndId, bankReference }) => remittance ?? endToEndId ?? bankReference,
  },
  { ...environmentColumn, isExtra: true },
];

/** Of those that wait: who sent it, and why no payment is known. */
const unmatchedColumns: readonly Column<Credit>[] = [
  { id: 'payer', title: 'Payer', cell: ({ payerName }) => payerName },
  { id: 'reason', title: 'Why nothing explains it', isLong: true, cell: ({ reason }) => reason },
  {
    ...actsColumn,
    cell: (credit) => credit.status === 'UNMATCHED' && <MatchCredit credit={credit} />,
  },
];

/** Of the others: the payment that explains it. The payer's name is not kept. */
const matchedColumns: readonly Column<Credit>[] = [
  { id: 'matched', title: 'Matched', at: ({ matchedAt }) => matchedAt },
  { id: 'payment', title: 'Payment', cell: (credit) => <PaymentOfCredit of={credit} /> },
];

const columnsOf = {
  UNMATCHED: [...creditColumns, ...unmatchedColumns],
  ALL: [...creditColumns, ...matchedColumns],
  MATCHED: [...creditColumns, ...matchedColumns],
} as const;

const PaymentOfCredit = ({ of }: { readonly of: Credit }): ReactNode => {
  const { merchantId, paymentRequestId, environment } = of;
  if (merchantId === null || paymentRequestId === null) return null;
  return (
    <Link
      to="/operator/merchants/$merchantId/payments/$paymentRequestId"
      params={{ merchantId, paymentRequestId }}
      search={{ environment: environment.toLowerCase() }}
    >
      Open the payment
    </Link>
  );
};

const Credits = (): ReactNode => {
  const { filters: chosen, toolbar, page, onPage } = useFilters(filters);
  const { status = 'UNMATCHED' } = chosen;
  const query = { page: page - 1, size: pageSize, ...(status !== 'ALL' && { status }) };
  const found = useOperation(listCredits, { query });
  return (
    <DataTable<Credit>
      name="credits"
      caption="Credits of the collecting account, the newest first"
      columns={columnsOf[status]}
      rowKey={({ creditId }) => creditId}
      read={found}
      toolbar={toolbar}
      pager={{ page, size: pageSize, total: found.data?.totalCount, onPage }}
      empty={
        <EmptyState
          title={status === 'UNMATCHED' ? 'Every credit is matched' : 'No credits here'}
          icon={status === 'UNMATCHED' ? 'check' : 'payouts'}
        >
          Money that arrives on the collecting account is matched to its payment by the bank’s
          report. What matches none waits here for a person.
        </EmptyState>
      }
    />
  );
};

type Credit = ReplyOf<typeof listCredits>['data'][number];

const ids = [
  { name: 'merchantId', label: 'Merchant id' },
  { name: 'paymentRequestId', label: 'Payment request id' },
  { name: 'attemptId', label: 'Attempt id' },
] as const;

/** Once: the payment is settled by it. */
const MatchCredit = ({ credit }: { readonly credit: Credit }): ReactNode => {
  const { typed, type, begin } = useTyped({
    merchantId: '',
    paymentRequestId: '',
    attemptId: '',
    evidence: '',
  });
  const evidence = typed.evidence.trim();
  const match = useAct(matchCredit, { changes: [listCredits, listOperatorCases] });
  const environment = credit.environment.toLowerCase();
  const amount = writePounds(Number(credit.amount));
  const isFilled = ids.every(({ name }) => typed[name] !== '') && evidence !== '';
  const send = async (): Promise<void> => {
    if (!isEnvironment(environment)) throw new Error(`There is no environment ${environment}.`);
    const body = { ...typed, environment, evidence };
    await match.mutateAsync({ params: { creditId: credit.creditId }, body });
  };
  return (
    <ActButton
      size="compact-sm"
      says="Match"
      title={`Match the credit of ${amount}`}
      act={`Settle the payment with ${amount}`}
      isReady={isFilled}
      onConfirm={send}
      onOpen={begin}
    >
      <Stack>
        <p>
          {amount} from {credit.payerName ?? 'an unnamed payer'} settle the payment that you name
          here. This is done once and cannot be undone.
        </p>
        {ids.map(({ name, label }) => (
          <TextInput
            key={name}
            label={label}
            required
            maxLength={36}
            {...typing(typed[name], (text) => type({ [name]: text.trim() }))}
          />
        ))}
        <Textarea
          label="How you know"
          description="A statement, a letter of the bank"
          required
          autosize
          minRows={2}
          maxLength={limits.operatorTextLength}
          {...typing(typed.evidence, (evidence) => type({ evidence }))}
        />
      </Stack>
    </ActButton>
  );
};
