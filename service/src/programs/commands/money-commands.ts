import { environments } from '#kernel/environment.ts';
import { listCredits, matchByOperator } from '#modules/credits/index.ts';
import { listAccountBalances } from '#modules/ledger/index.ts';
import { listBankMessages, takeMessageAgain } from '#modules/transfers/index.ts';
import { moneyUse } from './money-use.ts';
import { type CommandTools, namedTenant } from './run-command.ts';

type Command = (tools: CommandTools, words: readonly string[]) => Promise<string>;

const maxShown = 100;

const statuses = new Map([
  ['unmatched', 'UNMATCHED'],
  ['open', 'OPEN'],
  ['matched', 'MATCHED'],
  ['reversed', 'REVERSED'],
] as const) as ReadonlyMap<string, 'UNMATCHED' | 'OPEN' | 'MATCHED' | 'REVERSED'>;

const showCredits: Command = async (tools, [word = 'unmatched']) => {
  const status = statuses.get(word);
  if (!status) throw new Error(moneyUse);
  const { data, totalCount } = await listCredits(tools, status, { page: 0, size: maxShown });
  const lines = data.map((credit) =>
    [credit.creditId, credit.receivedAt, credit.environment, credit.amount]
      .concat(credit.endToEndId ?? '-', credit.bankReference ?? '-', credit.reason ?? '-')
      .join('  '),
  );
  return [...lines, `${data.length} of ${totalCount}`].join('\n');
};

const showBankMessages: Command = async (tools) => {
  const { data, totalCount } = await listBankMessages(tools, { page: 0, size: maxShown });
  const lines = data.map((message) =>
    [message.receivedAt, message.environment, message.kind, message.reference]
      .concat(message.messageId ?? '-', message.answers ?? '-', message.reason)
      .join('  '),
  );
  return [...lines, `${data.length} of ${totalCount}`].join('\n');
};

const takeBankMessage: Command = async (tools, [environment = '', reference = '']) => {
  const named = environments.find((each) => each.toLowerCase() === environment);
  if (!named) throw new Error(moneyUse);
  await takeMessageAgain(tools, { environment: named, reference }, tools.actor);
  return 'A worker takes it again.';
};

const matchCredit: Command = async (tools, words) => {
  const [creditId = '', merchantId = '', environment = ''] = words;
  const [paymentRequestId = '', attemptId = '', evidence = ''] = words.slice(3);
  const tenant = namedTenant(merchantId, environment);
  if (!tenant) throw new Error(moneyUse);
  const awake = { ...tools, wakeDispatcher: () => undefined };
  const match = { tenant, paymentRequestId, attemptId, evidence, actor: tools.actor };
  const { amount } = await matchByOperator(awake, creditId, match);
  return `${amount} is matched to the payment.`;
};

const showBalances: Command = async (tools, [merchantId = '', environment = '']) => {
  const tenant = namedTenant(merchantId, environment);
  if (!tenant) throw new Error(moneyUse);
  const { data } = await listAccountBalances(tools, tenant);
  return data
    .flatMap(({ sortCode, accountNumber, balances }) =>
      balances.map(({ account, balance }) =>
        [sortCode ?? '-', accountNumber ?? '-', account, balance].join('  '),
      ),
    )
    .join('\n');
};

/** What the operator does about money. */
export const moneyCommands: Readonly<Record<string, Command>> = {
  balances: showBalances,
  'bank-messages': showBankMessages,
  credits: showCredits,
  'match-credit': matchCredit,
  'take-bank-message': takeBankMessage,
};
