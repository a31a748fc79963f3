import { limits } from '#simulator/limits.ts';
import {
  type CardFault,
  type CardFaultOperation,
  cardFaultKinds,
  cardFaultOperations,
} from '../books/card-faults.ts';

export type Trouble = {
  readonly operation: CardFaultOperation;
  readonly kind: CardFault['kind'];
  readonly times?: number;
  readonly milliseconds?: number;
  readonly status?: number;
};

export const isCardTrouble = (body: { readonly operation: string }): body is Trouble =>
  body.operation.startsWith('cards:');

export const cardTrouble = {
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
