import {
  type BodyOf,
  failures,
  limits,
  type takeBankMessageAgain as operation,
  type ReplyOf,
} from '@florin/contract';
import type { Environment } from '#kernel/environment.ts';
import { Failure } from '#kernel/failure.ts';
import { openCases, resolveCaseOf } from '#modules/operator-cases/index.ts';
import { DatabaseUnavailable, isConnectionError } from '#platform/database/database-unavailable.ts';
import { errorText } from '#platform/database/stuck-rows.ts';
import type { Uses } from '#platform/tools.ts';
import type { IncomingMessage, TransferRail } from '#rails/transfer-rail.ts';
import { keptContext, putAside, resolveLostDeliveries } from './put-aside.ts';
import { type ReadTools, useMessage } from './read-bank-messages.ts';
import {
  askToTakeAgain,
  deliveredBefore,
  dropKeptMessages,
  findTaken,
  finishTakingAgain,
  type KeptMessage,
  listToTakeAgain,
} from './store/bank-messages.ts';

/** Makes a message that was put aside due again (PAYOUT-8). */
export const takeMessageAgain = async (
  { database }: Uses<'database'>,
  { environment, reference }: BodyOf<typeof operation>,
  actor: string,
): Promise<ReplyOf<typeof operation>> => {
  const values = { environment, reference, actor };
  const [found] = await database.system(askToTakeAgain, values);
  if (!found?.is_put_aside)
    throw new Failure(failures.notFound, { message: 'No such message was put aside.' });
  if (!found.is_asked)
    throw new Failure(failures.conflict, {
      message: 'The text of this message is not kept here. Ask the bank to send it again.',
    });
  return { environment, reference };
};

const batchSize = 10;

/** Takes what an operator asked for from where it is kept. Answers how many are answered. */
export const takeMessagesAgain = async (
  tools: ReadTools,
  environment: Environment,
): Promise<number> => {
  const rail = tools.transferRails.find(environment);
  if (!rail) return 0;
  const values = { environment, limit: batchSize };
  const kept = await tools.database.system(listToTakeAgain, values);
  let answered = 0;
  for (const each of kept)
    if (await answerAsking(tools, { environment, rail }, each)) answered += 1;
  return answered;
};

type Source = { readonly environment: Environment; readonly rail: TransferRail };

/** One that cannot be answered waits, and is not in the way of the others. */
const answerAsking = async (
  tools: ReadTools,
  source: Source,
  kept: KeptMessage,
): Promise<boolean> => {
  try {
    await takeKept(tools, source, kept);
    return true;
  } catch (error) {
    if (error instanceof DatabaseUnavailable && isConnectionError(error.cause)) throw error;
    const { reference } = kept;
    tools.log.error({ reference, error }, 'a bank message waits to be taken again');
    return false;
  }
};

/** Its case is settled before its row: killed in between it is taken again, which changes nothing. */
const takeKept = async (
  tools: ReadTools,
  { environment, rail }: Source,
  kept: KeptMessage,
): Promise<void> => {
  const { reference, again_at: againAt, again_by: actor } = kept;
  const content = openKept(tools, environment, kept);
  const message = rail.readAgain(reference, content ?? '');
  const quarantineReason =
    content === null ? cannotBeOpened : await tryAgain(tools, environment, message);
  const isTaken = quarantineReason === null;
  await resolveCaseOf(tools, 'BANK_MESSAGE_QUARANTINED', `${environment} ${reference}`, {
    actor,
    resolution: isTaken ? 'It was taken again.' : 'It was taken again, and put aside again.',
  });
  const messageId = idOf(message);
  if (isTaken) await resolveLostDeliveries(tools, { environment, reference, messageId });
  else await openCases(tools, [putAside(environment, message, quarantineReason)]);
  await tools.database.system(finishTakingAgain, {
    ...{ environment, reference, againAt, quarantineReason },
    kind: message.kind,
    messageId,
    answers: message.kind === 'STATUS_REPORT' ? message.originalMessageId : null,
  });
};

const cannotBeOpened = 'It cannot be taken: no key opens the text that is kept.';

const openKept = (
  { secrets }: Uses<'secrets'>,
  environment: Environment,
  { reference, message_encrypted }: KeptMessage,
): string | null => {
  try {
    return secrets.decryptText(message_encrypted, keptContext(environment, reference));
  } catch {
    return null;
  }
};

const idOf = (message: IncomingMessage): string | null =>
  message.kind === 'UNREADABLE' ? null : message.messageId;

/** Why it is put aside again, or null. While the database is away it waits. */
const tryAgain = async (
  tools: ReadTools,
  environment: Environment,
  message: IncomingMessage,
): Promise<string | null> => {
  const { reference } = message;
  try {
    const selected = { environment, reference, messageId: idOf(message) };
    const [taken] = await tools.database.system(findTaken, selected);
    return taken ? deliveredBefore : await useMessage(tools, environment, message);
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error;
    tools.log.error({ environment, reference, error }, 'a bank message is put aside again');
    return `It cannot be taken: ${errorText(error)}`;
  }
};

const droppedAtOnce = 500;

/** Payers are named in them. */
export const pruneKeptMessages = async ({ database }: Uses<'database'>): Promise<number> => {
  const values = { storedDays: limits.bankMessageKeptDays, limit: droppedAtOnce };
  return (await database.system(dropKeptMessages, values))[0]?.dropped ?? 0;
};
