import { verifyBooks } from '#modules/ledger/index.ts';
import { createMerchant, type NewMerchant } from '#modules/merchants/index.ts';
import { listCases, resolveCase, showCase } from '#modules/operator-cases/index.ts';
import { recordOperatorOutcome } from '#modules/payments/index.ts';
import { type CommandTools, namedTenant, runOperatorCommand } from './process/run-command.ts';
import { runProgram } from './process/stop-on-signal.ts';

const use = `Use: npm run operator -- <what>

  cases [open|resolved]        what needs a person
  case <caseId>                one of them, with its history
  resolve <caseId> "<text>"    close it: what became of it
  record-outcome <merchantId> <sandbox|production> <paymentRequestId> <attemptId>
                 <completed|failed> "<evidence>"
                               what a bank has done with an open or blocked payment
  create-merchant '{"businessName":"…","ownerEmail":"…","bankAccounts":{"SANDBOX":{"sortCode":"…",
                   "accountNumber":"…","name":"…"},"PRODUCTION":{…}}}'
  verify-books                 prove that the books balance`;

type Command = (tools: CommandTools, words: readonly string[]) => Promise<string>;

const show: Command = async (tools, [word = 'open']) => {
  if (word !== 'open' && word !== 'resolved') throw new Error(use);
  const cases = await listCases(tools, word === 'open' ? 'OPEN' : 'RESOLVED');
  if (cases.length === 0) return `No case is ${word}.`;
  return cases
    .map(({ caseId, openedAt, kind, subject, description }) =>
      [caseId, openedAt, kind, subject, description].join('  '),
    )
    .join('\n');
};

const showOne: Command = async (tools, [caseId = '']) =>
  JSON.stringify(await showCase(tools, caseId), null, 2);

const resolve: Command = async (tools, [caseId = '', resolution = '']) => {
  if (resolution.trim() === '') throw new Error(use);
  const { kind } = await resolveCase(tools, caseId, { actor: 'command', resolution });
  return `${kind} is resolved.`;
};

const verify: Command = async (tools) => {
  const result = await verifyBooks(tools);
  if (!result.isBalanced) throw new Error(JSON.stringify(result, null, 2));
  return JSON.stringify(result, null, 2);
};

const recordOutcome: Command = async (tools, words) => {
  const [merchantId = '', environment = '', paymentRequestId = '', attemptId = ''] = words;
  const [outcome = '', evidence = ''] = words.slice(4);
  const tenant = namedTenant(merchantId, environment);
  const named = outcomes.get(outcome);
  if (!tenant || !named) throw new Error(use);
  const awake = { ...tools, wakeDispatcher: () => undefined };
  const found = { outcome: named, evidence, actor: 'command' };
  const after = await recordOperatorOutcome(awake, tenant, paymentRequestId, attemptId, found);
  return `The payment request is ${after.status}.`;
};

const outcomes = new Map([
  ['completed', 'COMPLETED'],
  ['failed', 'FAILED'],
] as const) as ReadonlyMap<string, 'COMPLETED' | 'FAILED'>;

const addMerchant: Command = async (tools, [text = '']) => {
  const made = await createMerchant(tools, readNewMerchant(text));
  const { SANDBOX: sandbox, PRODUCTION: production } = made.secrets;
  return `Merchant ${made.merchantId}. Its secrets, shown this once:

Sandbox     ${sandbox.secret}
Production  ${production.secret}`;
};

const readNewMerchant = (text: string): NewMerchant => {
  try {
    const { paymentLimitPence: _, ...input } = JSON.parse(text) as NewMerchant;
    if (input.businessName && input.bankAccounts.SANDBOX && input.bankAccounts.PRODUCTION)
      return input;
  } catch {}
  throw new Error(use);
};

const commands: Readonly<Record<string, Command>> = {
  cases: show,
  case: showOne,
  resolve,
  'verify-books': verify,
  'record-outcome': recordOutcome,
  'create-merchant': addMerchant,
};

/** What the operator does for the whole installation. */
runProgram(async () => {
  const [what = '', ...words] = process.argv.slice(2);
  const command = Object.hasOwn(commands, what) ? commands[what] : undefined;
  if (!command) throw new Error(use);
  await runOperatorCommand('operator', async (tools) => {
    process.stdout.write(`${await command(tools, words)}\n`);
  });
});
