import {
  limits,
  type listFailedMails as operation,
  type QueryOf,
  type ReplyOf,
} from '@florin/contract';
import { recipientContext } from '#modules/checkout/index.ts';
import type { Uses } from '#platform/tools.ts';
import { explainMailFailure } from './explain-mail-failure.ts';
import { maskAddress } from './mask-address.ts';
import { type FailedRow, listFailedRows } from './store.ts';

type Reply = ReplyOf<typeof operation>;
type Tools = Uses<'database' | 'secrets' | 'config'>;

/** Of every kind of mail; no text, no link and no whole address of one. */
export const listFailedMails = async (
  tools: Tools,
  { page, size }: QueryOf<typeof operation>,
): Promise<Reply> => {
  const values = { limit: limits.stuckReadMax, size, skipped: page * size };
  const rows = await tools.database.system(listFailedRows, values);
  return {
    ...{ page, size, hasMailServer: tools.config.smtpUrl !== null },
    data: rows.flatMap((row) => (row.source === null ? [] : [shown(tools, row)])),
    totalCount: rows[0]?.total ?? 0,
  };
};

const shown = (tools: Tools, row: FailedRow): Reply['data'][number] => {
  const state = stateOf(row);
  const isPaused = state === 'RETRYING' && row.is_paused;
  return {
    ...{ source: row.source, mailId: row.mail_id, kind: row.kind },
    to: maskAddress(addressOf(tools, row)),
    ...{ merchantId: row.merchant_id, businessName: row.business_name },
    ...{ environment: row.environment, state, attempts: row.attempts },
    ...explainMailFailure(row.last_error ?? ''),
    createdAt: row.created_at.toISOString(),
    nextAt: isPaused ? (row.due_at?.toISOString() ?? null) : null,
    canSend: isPaused || state === 'GIVEN_UP',
  };
};

const stateOf = (row: FailedRow): Reply['data'][number]['state'] => {
  if (row.is_late) return 'ENDED';
  return row.is_given_up ? 'GIVEN_UP' : 'RETRYING';
};

const addressOf = ({ secrets, config }: Tools, row: FailedRow): string => {
  if (row.source === 'CASE') return config.operatorMail ?? '';
  if (row.recipient_encrypted === null) return row.recipient ?? '';
  return secrets.decryptText(row.recipient_encrypted, recipientContext(row.attempt_id ?? ''));
};
