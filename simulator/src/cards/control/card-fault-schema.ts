import { limits } from '#simulator/limits.ts';
import {
  type CardFault,
  type CardFaultOperation,
  cardFaultKinds,
  cardFaultOperations,
} from '../store/card-faults.ts';

export type CardFaultRequest = {
  readonly operation: CardFaultOperation;
  readonly kind: CardFault['kind'];
  readonly times?: number;
  readonly milliseconds?: number;
  readonly status?: number;
};

export const cardFaultSchema = {
  type: 'object',
  required: ['operation', 'kind'],
  properties: {
    operation: { enum: cardFaultOperations },
    kind: { enum: cardFaultKinds },
    times: { type: 'integer', minimum: 1, maximum: limits.faultsPerCall },
    milliseconds: { type: 'integer', minimum: 0, maximum: limits.faultSlownessMs },
    status: { type: 'integer', minimum: 400, maximum: 599 },
  },
};

export const isCardFaultRequest = (body: {
  readonly operation: string;
}): body is CardFaultRequest => body.operation.startsWith('cards:');
