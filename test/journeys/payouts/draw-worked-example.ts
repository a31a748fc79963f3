/** One entry of the ledger, as the database has it: above zero it is a debit. */
export type Entry = {
  readonly entry_id: string;
  readonly transaction_id: string;
  readonly account: string;
  readonly pence: string;
  readonly reason: string;
  readonly about: string;
};

export type RecordedStep = {
  readonly title: string;
  readonly words: string;
  /** What each ledger transaction of the step means, by its reason. */
  readonly meanings: Readonly<Record<string, string>>;
  readonly entries: readonly Entry[];
};

export type PayoutLine = {
  readonly lineType: string;
  readonly about: string;
  readonly amount: string;
};

export type ShownPayout = {
  readonly title: string;
  readonly words: string;
  readonly lines: readonly PayoutLine[];
  readonly amount: string;
};

type Balances = Map<string, bigint>;

/** The page: each step with its entries, what each account holds after it, and the payouts. */
export const drawWorkedExample = (
  intro: readonly string[],
  steps: readonly RecordedStep[],
  payouts: readonly ShownPayout[],
): string => {
  const balances: Balances = new Map();
  return [
    ...intro,
    '',
    ...steps.flatMap((step, index) => drawStep(step, index + 1, balances)),
    ...payouts.flatMap(drawPayout),
  ].join('\n');
};

const drawStep = (step: RecordedStep, number: number, balances: Balances): readonly string[] => [
  `### ${number}. ${step.title}\n`,
  `${step.words}\n`,
  ...transactionsOf(step.entries).flatMap((entries) =>
    drawTransaction(entries, step.meanings, balances),
  ),
  `Balances after it: ${drawBalances(balances)}.\n`,
];

const drawTransaction = (
  entries: readonly Entry[],
  meanings: RecordedStep['meanings'],
  balances: Balances,
): readonly string[] => {
  const [first] = entries;
  const meaning = meanings[first?.reason ?? ''];
  if (!first || meaning === undefined) throw new Error(`${first?.reason} has no words`);
  const sum = entries.reduce((total, { pence }) => total + BigInt(pence), 0n);
  if (sum !== 0n) throw new Error(`${first.reason} of ${first.about} sums to ${sum}`);
  return [
    `\`${first.reason}\`, ${first.about}: ${meaning}\n`,
    '| account | debit | credit | balance |',
    '| --- | ---: | ---: | ---: |',
    ...entries.map((entry) => drawEntry(entry, balances)),
    '',
  ];
};

const drawEntry = ({ account, pence }: Entry, balances: Balances): string => {
  const amount = BigInt(pence);
  const balance = (balances.get(account) ?? 0n) + amount;
  balances.set(account, balance);
  const [debit, credit] = amount > 0n ? [amount, ''] : ['', -amount];
  return `| \`${account}\` | ${debit} | ${credit} | ${balance} |`;
};

const transactionsOf = (entries: readonly Entry[]): readonly (readonly Entry[])[] =>
  [...new Set(entries.map((entry) => entry.transaction_id))].map((id) =>
    entries.filter((entry) => entry.transaction_id === id),
  );

const drawBalances = (balances: Balances): string => {
  const held = [...balances].filter(([, pence]) => pence !== 0n).sort();
  const sum = held.reduce((total, [, pence]) => total + pence, 0n);
  return `${held.map(([account, pence]) => `\`${account}\` ${pence}`).join(', ')}; together ${sum}`;
};

const drawPayout = ({ title, words, lines, amount }: ShownPayout): readonly string[] => [
  `### ${title}\n`,
  `${words}\n`,
  '| line | about | amount |',
  '| --- | --- | ---: |',
  ...lines.map((line) => `| ${line.lineType} | ${line.about} | ${line.amount} |`),
  `| | sum | ${amount} |`,
  '',
];
