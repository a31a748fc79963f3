import { verifyBooks } from '#modules/ledger/index.ts';
import { listCases, resolveCase, showCase } from '#modules/operator-cases/index.ts';
import { type CommandTools, runOperatorCommand } from './process/run-command.ts';
import { runProgram } from './process/stop-on-signal.ts';

const use = `Use: npm run operator -- <what>

  cases [open|resolved]        what needs a person
  case <caseId>                one of them, with its history
  resolve <caseId> "<text>"    close it: what became of it
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

const commands: Readonly<Record<string, Command>> = {
  cases: show,
  case: showOne,
  resolve,
  'verify-books': verify,
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
