import { type FailureId, failures } from '../failures.ts';
import type { Operation } from '../operation.ts';
import recordedReplies from './recorded-replies.json' with { type: 'json' };
import { requestExamples } from './request-examples.ts';
import { sampleValue } from './sample-value.ts';

/** A request that works, given the ids that it names. */
export const requestExample = ({ id, body }: Operation): unknown =>
  requestExamples[id] ?? (body && sampleValue(body, { onlyRequired: true }));

/** As the product once answered; made from the schema where no order of a shop leads there. */
export const replyExample = ({ id, reply }: Operation): unknown =>
  recorded[id] ?? sampleValue(reply, { onlyRequired: true });

const recorded: Readonly<Record<string, unknown>> = recordedReplies;

export const failureExample = (id: FailureId): object => {
  const { name, message, status } = failures[id];
  const value =
    id === 'badRequest'
      ? { name, message: 'orderId is required.', status, errors: [requiredOrder] }
      : { name, message, status, errors: [] };
  return { summary: name, value };
};

const requiredOrder = { field: 'orderId', message: 'orderId is required' };
