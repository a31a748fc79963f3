import { createMerchant as createOperation } from '@florin/contract';
import type { Tenant } from '#kernel/environment.ts';
import { isUuid } from '#kernel/is-uuid.ts';
import { listAuditRecords } from '#modules/audit/index.ts';
import { verifyBooks } from '#modules/ledger/index.ts';
import { addMerchant, listMerchants } from '#modules/merchants/index.ts';
import { listCases, resolveCase, showCase } from '#modules/operator-cases/index.ts';
import {
  createOperatorSecret,
  listOperatorSecrets,
  revokeOperatorSecret,
} from '#modules/operators/index.ts';
import { recordOperatorOutcome } from '#modules/payments/index.ts';
import { enterRefundAccount } from '#modules/refunds/index.ts';
import { reencryptRecords } from '#platform/secrets/reencrypt-records.ts';
import { reencryptPurposeKeys } from '#platform/secrets/stored-purpose-keys.ts';
import type { CommandProcess } from '../process/command-process.ts';
import { encryptedColumns } from '../wiring/encrypted-columns.ts';
import { moneyCommands } from './money-commands.ts';
import { moneyUse } from './money-use.ts';
import { peopleCommands } from './people-commands.ts';
import { peopleUse } from './people-use.ts';
import { readJson, requireValid } from './read-assignments.ts';
import { type CommandTools, namedTenant, runCommand } from './run-command.ts';

const use = `Use: npm run operator -- <what>

  cases [open|resolved]        what needs a person
  case <caseId>                one of them, with its history
  resolve <caseId> "<text>"    close it: what became of it
  record-outcome <merchantId> <sandbox|production> <paymentRequestId> <attemptId>
                 <completed|failed> "<evidence>"
                               what a bank or the card processor has done with an open payment
  refund-account <merchantId> <sandbox|production> <refundId> <sort code> <account number> "<name>"
                               where a refund goes whose bank did not say who had paid
  merchants                    list them
  create-merchant '{"businessName":"…","ownerEmail":"…","bankAccounts":{"SANDBOX":{"sortCode":"…",
                   "accountNumber":"…","name":"…"},"PRODUCTION":{…}}}'
  verify-books                 verify that the books balance${moneyUse}
  rotate-master-key            encrypt again, with the first key of FLORIN_MASTER_KEY, what others
                               encrypted: when it is done they can be removed
  create-operator-secret "<name>" [<expires at>]
                               a secret for the operator API
  operator-secrets             list them
  revoke-operator-secret <id>  at once, in every process
  audit [<merchantId>]         what operators did, by API and by command${peopleUse}`;

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
  const { kind } = await resolveCase(tools, caseId, { actor: tools.actor, resolution });
  return `${kind} is resolved.`;
};

const verify: Command = async (tools) => {
  const result = await verifyBooks(tools);
  if (!result.isBalanced) throw new Error(JSON.stringify(result, null, 2));
  return JSON.stringify(result, null, 2);
};

const rotateMasterKey: Command = async (tools) => {
  const report = (line: string) => tools.write(`${line}\n`);
  await report(`${await reencryptPurposeKeys(tools)} keys of purposes encrypted again`);
  const left = await reencryptRecords(tools, encryptedColumns, report);
  if (left === 0) return 'No record needs another key than the first: others can be removed.';
  throw new Error(`${left} records were written under another key meanwhile: run it again.`);
};

const recordOutcome: Command = async (tools, words) => {
  const [merchantId = '', environment = '', paymentRequestId = '', attemptId = ''] = words;
  const [outcome = '', evidence = ''] = words.slice(4);
  const tenant = namedTenant(merchantId, environment);
  const named = outcomes.get(outcome);
  if (!tenant || !named) throw new Error(use);
  const awake = { ...tools, wakeDispatcher: () => undefined };
  const found = { outcome: named, evidence, actor: tools.actor };
  const after = await recordOperatorOutcome(awake, tenant, paymentRequestId, attemptId, found);
  return `The payment request is ${after.status}.`;
};

const outcomes = new Map([
  ['completed', 'COMPLETED'],
  ['failed', 'FAILED'],
] as const) as ReadonlyMap<string, 'COMPLETED' | 'FAILED'>;

const enterAccount: Command = async (tools, words) => {
  const [merchantId = '', environment = '', refundId = ''] = words;
  const [sortCode = '', accountNumber = '', name = ''] = words.slice(3);
  const tenant = namedTenant(merchantId, environment);
  if (!tenant || !isUuid(refundId)) throw new Error(use);
  const awake = { ...tools, wakeDispatcher: () => undefined };
  const account = { sortCode, accountNumber, name };
  const refund = await enterRefundAccount(awake, tenant, refundId, account, tools.actor);
  return `The refund is ${refund.status}: it is handed over next.`;
};

const makeMerchant: Command = async (tools, [text = '']) => {
  const made = await addMerchant(tools, requireValid(createOperation.body, readJson(text, use)));
  const { SANDBOX: sandbox, PRODUCTION: production } = made.secrets;
  return `Merchant ${made.merchantId}. Its secrets, shown this once:

Sandbox     ${sandbox.secret}
Production  ${production.secret}`;
};

const maxShown = 100;

const showMerchants: Command = async (tools) => {
  const { data, totalCount } = await listMerchants(tools, { page: 0, size: maxShown });
  const lines = data.map(({ merchantId, businessName }) => `${merchantId}  ${businessName}`);
  return [...lines, `${data.length} of ${totalCount}`].join('\n');
};

const makeOperatorSecret: Command = async (tools, [name = '', expires]) => {
  const expiresAt = expires === undefined ? null : new Date(expires);
  if (expiresAt && Number.isNaN(expiresAt.getTime())) throw new Error(use);
  const made = await createOperatorSecret(tools, name, expiresAt);
  return `Operator secret ${made.operatorSecretId}, shown this once:\n\n${made.secret}`;
};

const showOperatorSecrets: Command = async (tools) =>
  (await listOperatorSecrets(tools))
    .map(({ operatorSecretId, name, lastFour, expiresAt, revokedAt }) => {
      const ends = expiresAt ? `until ${expiresAt}` : 'active';
      return [operatorSecretId, name, `…${lastFour}`, revokedAt ? 'revoked' : ends].join('  ');
    })
    .join('\n');

const endOperatorSecret: Command = async (tools, [operatorSecretId = '']) =>
  `The operator secret of ${await revokeOperatorSecret(tools, operatorSecretId)} is revoked.`;

const showAudit: Command = async (tools, [merchantId]) => {
  if (merchantId && !isUuid(merchantId)) throw new Error(`No merchant has the id ${merchantId}.`);
  const page = { page: 0, size: maxShown, ...(merchantId ? { merchantId } : {}) };
  return (await listAuditRecords(tools, page)).data
    .map(({ startedAt, actor, address, channel, action, merchantId: about, outcome, detail }) =>
      [startedAt, actor, address, channel, action, about ?? '-', outcome ?? 'NO OUTCOME']
        .concat(JSON.stringify(detail))
        .join('  '),
    )
    .join('\n');
};

const commands: Readonly<Record<string, Command>> = {
  cases: show,
  case: showOne,
  resolve,
  'verify-books': verify,
  'rotate-master-key': rotateMasterKey,
  'record-outcome': recordOutcome,
  'refund-account': enterAccount,
  merchants: showMerchants,
  'create-merchant': makeMerchant,
  'create-operator-secret': makeOperatorSecret,
  'operator-secrets': showOperatorSecrets,
  'revoke-operator-secret': endOperatorSecret,
  audit: showAudit,
  ...moneyCommands,
  ...peopleCommands,
};

// Where the merchant and the environment stand in their words.
const tenantAt = new Map([
  ['record-outcome', 0],
  ['refund-account', 0],
  ['match-credit', 1],
  ['balances', 0],
]);

const tenantOf = (what: string, words: readonly string[]): Tenant | null => {
  const at = tenantAt.get(what);
  return at === undefined ? null : namedTenant(words[at] ?? '', words[at + 1] ?? '');
};

/** What the operator does for the whole installation. */
export const operate = async (
  [what = '', ...words]: readonly string[],
  process: CommandProcess,
): Promise<void> => {
  const command = Object.hasOwn(commands, what) ? commands[what] : undefined;
  if (!command) throw new Error(use);
  const recorded = { action: `operator ${what}`, tenant: tenantOf(what, words), words };
  await runCommand(process, recorded, (tools) => command(tools, words));
};
