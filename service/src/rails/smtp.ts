import { setTimeout as sleep } from 'node:timers/promises';
import { maskCardNumbers } from '#platform/card-numbers/mask-card-numbers.ts';
import type { MailRail } from './mail-rail.ts';

const connectMs = 10_000;
const answerMs = 30_000;
/** Of a whole mail: a server that answers a byte now and then is not waited for longer. */
const sendMs = 45_000;

type MailSettings = {
  readonly url: string;
  readonly from: string;
  /** Left out: never. Who reads a mail on its way can use its link. */
  readonly withoutTls?: boolean;
};

/** Mail by SMTP; the address holds user name and password if the server wants them. */
export const openSmtp = (settings: MailSettings): MailRail => {
  const url = new URL(settings.url);
  const options = {
    host: url.hostname,
    port: Number(url.port) || (url.protocol === 'smtps:' ? 465 : 587),
    secure: url.protocol === 'smtps:',
    requireTLS: settings.withoutTls !== true,
    ...(url.username === ''
      ? {}
      : {
          auth: {
            user: decodeURIComponent(url.username),
            pass: decodeURIComponent(url.password),
          },
        }),
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    socketTimeout: answerMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
  // Read only where mail is sent: it takes 10 MB.
  const opening = import('nodemailer').then(({ createTransport }) => createTransport(options));
  const domain = settings.from.split('@').at(-1)?.replace(/>.*$/, '') ?? 'localhost';
  return {
    send: async ({ messageId, ...mail }) => {
      try {
        await withinTime(
          (await opening).sendMail({
            ...mail,
            from: settings.from,
            messageId: `<${messageId}@${domain}>`,
          }),
        );
        return { kind: 'SENT' };
      } catch (error) {
        return {
          kind: 'FAILED',
          description: maskCardNumbers((error as Error).message).slice(0, 300),
        };
      }
    },
    close: async () => (await opening).close(),
  };
};

const withinTime = async (sending: Promise<unknown>): Promise<void> => {
  const timer = new AbortController();
  const late = sleep(sendMs, undefined, { signal: timer.signal }).then(() => {
    throw new Error('Timeout: the mail server takes too long');
  });
  try {
    await Promise.race([sending, late]);
  } finally {
    timer.abort();
    late.catch(() => undefined);
  }
};
