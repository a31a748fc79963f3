import {
  listBankMessages as listOperation,
  type listBankMessages as operation,
  type QueryOf,
  type ReplyOf,
  takeBankMessageAgain as takeOperation,
} from '@florin/contract';
import { operatorRoute, type Route } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import { listQuarantined, type QuarantinedRow } from './store/bank-messages.ts';
import { takeMessageAgain } from './take-messages-again.ts';

type Page = Pick<QueryOf<typeof operation>, 'page' | 'size'>;

/** What was put aside, with why; the newest first (PAYOUT-8). */
export const listBankMessages = async (
  { database }: Uses<'database'>,
  { page, size }: Page,
): Promise<ReplyOf<typeof operation>> => {
  const rows = await database.system(listQuarantined, { limit: size, skipped: page * size });
  const data = rows.flatMap((row) => (row.reference === null ? [] : [messageView(row)]));
  return { page, size, data, totalCount: rows[0]?.total ?? 0 };
};

const messageView = (row: QuarantinedRow) => ({
  environment: row.environment,
  reference: row.reference,
  kind: row.kind,
  messageId: row.message_id,
  answers: row.answers,
  reason: row.quarantine_reason,
  text: row.text,
  receivedAt: row.received_at.toISOString(),
  isKept: row.is_kept,
  againAt: row.again_at?.toISOString() ?? null,
});

export const operatorRoutes = (tools: Uses<'database'>): readonly Route[] => [
  operatorRoute(listOperation, ({ query }) => listBankMessages(tools, query)),
  operatorRoute(takeOperation, ({ body }, { name }) => takeMessageAgain(tools, body, name)),
];
