import {
  embedMessages,
  embedProtocol,
  getTransaction,
  transactionStatuses,
} from '@florin/contract';
import { sampleValue } from '../../contract/published/sample-value.ts';

type Vector = {
  readonly name: string;
  readonly json: object;
  /** What is written again, where it is not the same. */
  readonly written?: object;
};

const detailsOf = (onlyRequired: boolean) =>
  sampleValue(getTransaction.reply, { onlyRequired }) as Readonly<Record<string, unknown>>;

/** Answers and messages as the contract allows them: every model reads and writes each. */
export const dartVectors = () => ({
  transactionDetails: transactionVectors(),
  embedMessages: messageVectors(),
});

const transactionVectors = (): readonly Vector[] => {
  const [full, least] = [detailsOf(false), detailsOf(true)];
  const iso = { code: 'ACSC', name: 'AcceptedSettlementCompleted' };
  const statusDetails = {
    status: 'COMPLETED',
    statusUpdateDate: '2026-11-20T10:00:00.000Z',
    isoStatus: iso,
  };
  return [
    { name: 'every member', json: { ...full, statusDetails } },
    { name: 'only what is required', json: { ...least, statusDetails: null } },
    ...transactionStatuses.map((status) => ({ name: status, json: { ...least, status } })),
    { name: 'a status that came later', json: { ...least, status: 'RESTING' } },
    {
      name: 'amounts as text',
      json: { ...least, paidAmount: '12.50', tipAmount: '0', totalRefundAmount: '2.5' },
      written: { ...least, paidAmount: 12.5, tipAmount: 0, totalRefundAmount: 2.5 },
    },
    {
      name: 'callback parameters',
      json: { ...full, statusDetails, redirectUrlParams: { basket: 'b-1', ünï: '✓ &=' } },
    },
    { name: 'a member that came later', json: { ...least, later: [1] }, written: least },
  ];
};

const nonce = '0123456789abcdef0123456789abcdef';
const paymentIdempotencyId = '01JD0XAMPLE0PAYMENT0ID';

const messageVectors = (): readonly Vector[] =>
  Object.entries(embedMessages).flatMap(([type, schema]) => {
    const envelope = { florin: embedProtocol, nonce, type };
    const sample = sampleValue(schema, { onlyRequired: false }) as object;
    const json: object = { ...sample, ...envelope };
    const variants =
      'paymentIdempotencyId' in json
        ? [
            { ...json, paymentIdempotencyId: null },
            { ...json, paymentIdempotencyId },
          ]
        : [json];
    return variants.map((each, at) => ({ name: `${type} ${at + 1}`, json: each }));
  });
