import { createHmac } from 'node:crypto';
import type { Account } from '../model.ts';

const answerTimeoutMs = 5_000;

export type Notice = {
  readonly url: string;
  readonly secret: string;
  readonly id: string;
  readonly account: Account;
  readonly now: number;
};

// Says that messages wait, and nothing of what is in them. Answers whether the client took it.
export const sendNotice = async (notice: Notice): Promise<boolean> => {
  const { sortCode, accountNumber } = notice.account;
  const body = JSON.stringify({ id: notice.id, account: { sortCode, accountNumber } });
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'hub-signature': signatureOf(body, notice.secret, notice.now),
  };
  const signal = AbortSignal.timeout(answerTimeoutMs);
  try {
    const sent = { method: 'POST', headers, body, signal, redirect: 'manual' } as const;
    const reply = await fetch(notice.url, sent);
    await reply.arrayBuffer();
    return reply.ok;
  } catch {
    return false;
  }
};

const signatureOf = (body: string, secret: string, now: number): string => {
  const stamp = Math.floor(now / 1000);
  const digest = createHmac('sha256', secret).update(`${stamp}.${body}`).digest('hex');
  return `t=${stamp},v1=${digest}`;
};
