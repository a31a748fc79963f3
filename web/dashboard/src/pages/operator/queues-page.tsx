import {
  creditStatuses,
  limits,
  listBankMessages,
  listCredits,
  listOperatorCases,
  matchCredit,
  type ReplyOf,
  takeBankMessageAgain,
} from '@florin/contract';
import { Button, Stack, Tabs, Textarea, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { isEnvironment } from '../../call/tenant.ts';
import { useAct, useOperation } from '../../call/use-operation.ts';
import { ConfirmAct } from '../../parts/confirm-act.tsx';
import {
  amountColumn,
  type Column,
  DataTable,
  environmentColumn,
  statusColumn,
} from '../../parts/data-table.tsx';
import { OneChoice } from '../../parts/filter-fields.tsx';
import { choicesOf, readSearch, type Search, useFilters } from '../../parts/filters.ts';
import { EmptyState, PageTitle } from '../../parts/layout.tsx';
import { writePounds } from '../../parts/numbers.ts';
import { sentenceCase, wordsOf } from '../../parts/status-badge.tsx';
import { CopyText, DateText } from '../../parts/texts.tsx';

const queueWords = { messages: 'Messages put aside', credits: 'Credits' } as const;
const creditWords = wordsOf(creditStatuses);

const read = (search: Search) => ({
  page: readSearch.page(search),
  queue: readSearch.choice(search, 'queue', queueWords),
  status: readSearch.choice(search, 'status', creditWords),
});

/** What waits because no program can tell what it means. */
export const QueuesPage = (): ReactNode => {
  const { filters, change } = useFilters(read);
  const { queue = 'messages' } = filters;
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

const columnsWith = (take: (message: Message) => void): readonly Column<Message>[] => [
  { id: 'kind', title: 'Message', isMain: true, cell: ({ kind }) => sentenceCase(kind) },
  { id: 'received', title: 'Received', at: ({ receivedAt }) => receivedAt },
  { id: 'reason', title: 'Why it was put aside', cell: ({ reason }) => reason },
  environmentColumn,
  {
    id: 'reference',
    title: 'Reference',
    cell: ({ reference }) => <CopyText text={reference} what="reference" />,
  },
  {
    id: 'again',
    title: 'Take it again',
    cell: (message) => <TakeAgain of={message} onTake={() => take(message)} />,
  },
  {
    id: 'answers',
    title: 'About the batch',
    isExtra: true,
    cell: ({ answers }) => answers && <CopyText text={answers} what="batch" />,
  },
  {
    id: 'text',
    title: 'Begins with',
    isExtra: true,
    cell: ({ text }) => text && <span className="code">{text}</span>,
  },
];

type TakeAgainProps = { readonly of: Message; readonly onTake: () => void };

const TakeAgain = ({ of: { isKept, againAt }, onTake }: TakeAgainProps): ReactNode => {
  if (againAt !== null) return 'As soon as a worker is free';
  if (!isKept) return 'Its text is not kept';
  return (
    <Button size="compact-sm" variant="default" onClick={onTake}>
      Take again
    </Button>
  );
};

type TakeMessageProps = { readonly message: Message; readonly onClose: () => void };

/** From the text that is kept here. */
const TakeMessage = ({ message, onClose }: TakeMessageProps): ReactNode => {
  const take = useAct(takeBankMessageAgain, { changes: [listBankMessages] });
  const { environment, reference, reason } = message;
  return (
    <ConfirmAct
      isOpen
      title="Take the message again"
      act="Take it again"
      onConfirm={() => take.mutateAsync({ body: { environment, reference } })}
      onClose={onClose}
    >
      <p>{reason}</p>
      <p className="soft">
        Once that is mended, a worker takes it from what is kept here. What it had changed already
        it changes no second time; if it cannot be taken, it is put aside again with its new reason.
      </p>
    </ConfirmAct>
  );
};

const BankMessages = (): ReactNode => {
  const { filters, onPage } = useFilters(read);
  const { page = 1 } = filters;
  const [chosen, setChosen] = useState<Message | null>(null);
  const found = useOperation(listBankMessages, { query: { page: page - 1, size: pageSize } });
  return (
    <>
      <DataTable<Message>
        name="bank-messages"
        caption="Messages of the bank that were put aside, the newest first"
        columns={columnsWith(setChosen)}
        rows={found.data?.data}
        rowKey={({ environment, reference, receivedAt }) =>
          `${environment}${reference}${receivedAt}`
        }
        read={found}
        pager={{ page, size: pageSize, total: found.data?.totalCount, onPage }}
        empty={
          <EmptyState title="No message is put aside" icon="check">
            <p>
              A report of the bank that cannot be read, or that is about nothing we sent, waits here
              and moves no money. A case is opened for it.
            </p>
          </EmptyState>
        }
      />
      {chosen && <TakeMessage message={chosen} onClose={() => setChosen(null)} />}
    </>
  );
};

const creditColumns = (match: (credit: Credit) => void): readonly Column<Credit>[] => [
  amountColumn(({ amount }) => Number(amount)),
  statusColumn,
  { id: 'booked', title: 'Booked', cell: ({ bookedOn }) => <DateText at={bookedOn} isDay /> },
  { id: 'payer', title: 'Payer', cell: ({ payerName }) => payerName },
  { id: 'text', title: 'On the statement', cell: ({ remittance }) => remittance },
  { id: 'reason', title: 'Why nothing explains it', cell: ({ reason }) => reason },
  { ...environmentColumn, isExtra: true },
  {
    id: 'matched',
    title: 'Matched',
    cell: (credit) =>
      credit.status === 'UNMATCHED' ? (
        <Button size="compact-sm" variant="default" onClick={() => match(credit)}>
          Match
        </Button>
      ) : (
        credit.matchedAt && <DateText at={credit.matchedAt} />
      ),
  },
];

const Credits = (): ReactNode => {
  const { filters, change, onPage } = useFilters(read);
  const { page = 1, status } = filters;
  const [chosen, setChosen] = useState<Credit | null>(null);
  const found = useOperation(listCredits, { query: { page: page - 1, size: pageSize, status } });
  return (
    <>
      <DataTable<Credit>
        name="credits"
        caption="Credits of the collecting account, the newest first"
        columns={creditColumns(setChosen)}
        rows={found.data?.data}
        rowKey={({ creditId }) => creditId}
        read={found}
        toolbar={
          <OneChoice
            label="Status"
            words={creditWords}
            chosen={status}
            onChoose={(status) => change({ status })}
          />
        }
        pager={{ page, size: pageSize, total: found.data?.totalCount, onPage }}
        empty={
          <EmptyState title="No credits here" icon="payouts">
            <p>
              Money that arrives on the collecting account is matched to its payment by the report
              of the bank. What matches none waits here for a person.
            </p>
          </EmptyState>
        }
      />
      {chosen && <MatchCredit credit={chosen} onClose={() => setChosen(null)} />}
    </>
  );
};

type Credit = ReplyOf<typeof listCredits>['data'][number];

type MatchCreditProps = { readonly credit: Credit; readonly onClose: () => void };

const ids = [
  { name: 'merchantId', label: 'Merchant id' },
  { name: 'paymentRequestId', label: 'Payment request id' },
  { name: 'attemptId', label: 'Attempt id' },
] as const;

type Ids = Readonly<Record<(typeof ids)[number]['name'], string>>;

const noIds: Ids = { merchantId: '', paymentRequestId: '', attemptId: '' };

/** Once: the payment is settled by it. */
const MatchCredit = ({ credit, onClose }: MatchCreditProps): ReactNode => {
  const [typed, setTyped] = useState<Ids>(noIds);
  const [evidence, setEvidence] = useState('');
  const match = useAct(matchCredit, { changes: [listCredits, listOperatorCases] });
  const environment = credit.environment.toLowerCase();
  const amount = writePounds(Number(credit.amount));
  const isFilled = ids.every(({ name }) => typed[name] !== '') && evidence.trim() !== '';
  const send = async (): Promise<void> => {
    if (!isEnvironment(environment)) throw new Error(`There is no environment ${environment}.`);
    const body = { ...typed, environment, evidence: evidence.trim() };
    await match.mutateAsync({ params: { creditId: credit.creditId }, body });
  };
  return (
    <ConfirmAct
      isOpen
      title={`Match the credit of ${amount}`}
      act={`Settle the payment with ${amount}`}
      isReady={isFilled}
      onConfirm={send}
      onClose={onClose}
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
            value={typed[name]}
            onChange={({ currentTarget }) =>
              setTyped({ ...typed, [name]: currentTarget.value.trim() })
            }
          />
        ))}
        <Textarea
          label="How you know"
          description="A statement, a letter of the bank"
          required
          autosize
          minRows={2}
          maxLength={limits.operatorTextLength}
          value={evidence}
          onChange={({ currentTarget }) => setEvidence(currentTarget.value)}
        />
      </Stack>
    </ConfirmAct>
  );
};
