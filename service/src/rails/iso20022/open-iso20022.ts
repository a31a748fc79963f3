import type { Clock, Ids } from '#platform/clock.ts';
import type { TransferBatch, TransferRail } from '#rails/transfer-rail.ts';
import {
  type Channel,
  type Delivery,
  defaultSettleMs,
  type HttpChannelSettings,
  type Iso20022Settings,
  standardTemplate,
} from './channel.ts';
import { diskFileSystem, type FileSystem } from './file-system.ts';
import { openFolderChannel, pathsUnder } from './folder-channel.ts';
import { openHttpChannel, readNotice } from './http-channel.ts';
import { readMessage, unreadable } from './messages/read-message.ts';
import { checkBatch, writeCreditTransfers } from './messages/write-credit-transfers.ts';

type Registration = {
  readonly transfers?: {
    readonly url: string;
    readonly secret: string;
    readonly noticeSecret?: string;
  };
};

/** From the text of a simulator's registration; null when it has no transfer hub. */
export const transferSettings = (
  text: string,
  { sortCode, accountNumber }: HttpChannelSettings['account'],
): Iso20022Settings | null => {
  const { transfers } = JSON.parse(text) as Registration;
  if (!transfers) return null;
  const { url, secret, noticeSecret = null } = transfers;
  const account = { sortCode, accountNumber };
  const channel = { kind: 'HTTP', url, secret, noticeSecret, account } as const;
  return { template: standardTemplate, channel };
};

type Iso20022Tools = {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly fileSystem?: FileSystem;
};

export type Iso20022 = TransferRail & { readonly close: () => Promise<void> };

/** The connector to the bank of the collecting account. Opening it uses no network and no disk. */
export const openIso20022 = (settings: Iso20022Settings, tools: Iso20022Tools): Iso20022 => {
  const { template } = settings;
  const { channel, close } = openChannel(settings, tools);
  const handOver =
    (step: Channel['send']): TransferRail['submit'] =>
    async (batch) => {
      const mistakes = checkBatch(batch, template);
      if (mistakes.length > 0) return refuse(mistakes);
      return step(messageOf(batch, settings));
    };
  return {
    submit: handOver(channel.send),
    resolveSubmission: handOver(channel.sendUnlessThere),
    readMessages: async (limit) => {
      const listed = await channel.list(limit);
      if (listed.kind === 'UNAVAILABLE') return listed;
      return { kind: 'MESSAGES', messages: listed.deliveries.map(incomingOf) };
    },
    readAgain: (reference, text) => incomingOf({ reference, text, problem: null }),
    acknowledge: (reference, quarantineReason) =>
      channel.acknowledge(reference, quarantineReason ?? null),
    reopenMessages: channel.reopen,
    readNotice: noticesOf(settings, tools),
    close,
  };
};

const noticesOf = (
  { channel }: Iso20022Settings,
  { clock }: Iso20022Tools,
): TransferRail['readNotice'] => {
  if (channel.kind === 'FOLDER' || channel.noticeSecret === null) return null;
  const { noticeSecret: secret, account } = channel;
  return (body, signature) =>
    readNotice({ secret, account, nowMs: clock.now().getTime() }, body, signature);
};

type OpenedChannel = { readonly channel: Channel; readonly close: () => Promise<void> };

const openChannel = (
  { channel, template }: Iso20022Settings,
  tools: Iso20022Tools,
): OpenedChannel => {
  if (channel.kind === 'HTTP') {
    const http = openHttpChannel(channel);
    return { channel: http, close: http.close };
  }
  const { clock, ids, fileSystem = diskFileSystem } = tools;
  const { settleMs = defaultSettleMs, root, own } = channel;
  const at = pathsUnder(root, template.files);
  const folders = { fileSystem, clock, ids, files: template.files, settleMs, at, root, own };
  return { channel: openFolderChannel(folders), close: async () => undefined };
};

const messageOf = (batch: TransferBatch, { template }: Iso20022Settings) => ({
  messageId: batch.messageId,
  text: writeCreditTransfers(batch, template),
});

const refuse = (mistakes: ReturnType<typeof checkBatch>) => {
  const ids = mistakes.flatMap(({ endToEndId }) => (endToEndId === null ? [] : [endToEndId]));
  return {
    kind: 'REFUSED' as const,
    code: 'INVALID_BATCH' as const,
    description: [...new Set(mistakes.map(({ description }) => description))].join(' '),
    endToEndIds: [...new Set(ids)],
  };
};

const incomingOf = ({ reference, text, problem }: Delivery) => ({
  reference,
  content: problem === null ? text : null,
  ...(problem === null ? readMessage(text) : unreadable(problem, text)),
});
