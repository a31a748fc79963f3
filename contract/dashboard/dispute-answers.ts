import Type from 'typebox';
import { nullable, oneLine, timestamp, uuid } from '../fields.ts';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';

export const disputeAnswerStatuses = [
  'DRAFT',
  'SUBMITTING',
  'SUBMITTED',
  'ACCEPTING',
  'ACCEPTED',
] as const;

export const evidenceFileKinds = [
  'receipt',
  'customerCommunication',
  'shippingDocumentation',
  'serviceDocumentation',
  'refundPolicy',
  'other',
] as const;

const line = (description: string) =>
  Type.Optional(Type.String({ maxLength: limits.disputeLineLength, ...oneLine, description }));
const text = (description: string) =>
  Type.Optional(Type.String({ maxLength: limits.disputeTextLength, pattern: '\\S', description }));

/** Evidence for the card holder's bank. All texts are optional. */
export const disputeEvidence = Type.Object({
  productDescription: text('What was sold.'),
  customerName: line('Who bought it.'),
  customerEmail: Type.Optional(Type.String({ format: 'email', maxLength: limits.emailLength })),
  serviceDate: line('When a service was given, in the words of a receipt.'),
  shippingAddress: text('Where it was sent to.'),
  shippingDate: line('When it was sent.'),
  shippingCarrier: line('Who carried it.'),
  shippingTrackingNumber: line('The number of the parcel.'),
  refundPolicyShown: text('How and when the customer was shown the refund policy.'),
  refundRefusal: text('Why the customer is not entitled to a refund.'),
  other: text('Anything else that shows that the payment is right.'),
});

const files = Type.Array(
  Type.Object({
    kind: Type.Enum([...evidenceFileKinds]),
    fileName: Type.String(),
    bytes: Type.Integer(),
  }),
);

const answer = Type.Object({
  disputeReference: Type.String(),
  version: Type.Integer({
    description: '0 before anything is saved. Each change names the one that it was made from.',
  }),
  status: Type.Enum([...disputeAnswerStatuses], {
    description:
      'DRAFT also before anything is saved. SUBMITTING and ACCEPTING: not confirmed by the processor yet.',
  }),
  evidence: disputeEvidence,
  files,
  refusal: nullable(
    Type.String({ description: 'Why the card processor did not take what was sent.' }),
  ),
  sentBy: nullable(Type.String({ description: 'The name of the person.' })),
  sentAt: nullable(timestamp()),
  submissions: Type.Array(
    Type.Object({
      sentBy: Type.String(),
      sentAt: timestamp(),
      evidence: disputeEvidence,
      files,
    }),
    { description: 'What was sent each time, the oldest first; also what was not taken.' },
  ),
});

const version = Type.Integer({
  minimum: 0,
  maximum: 2_147_483_647,
  description: 'Of the answer as it was read. Another member has changed it since: 409.',
});

const named = {
  paymentRequestId: uuid(),
  disputeReference: Type.String({
    pattern: '^[A-Za-z0-9_-]{1,255}$',
    maxLength: 255,
    errorMessage: 'must be the id of a dispute at the card processor',
    description: 'Its id at the processor.',
  }),
};

const of = '/payments/:paymentRequestId/disputes/:disputeReference';
const described = { access: 'member', rules: ['CARD-21'], reply: answer } as const;

/** As it was saved here; what was written in the processor's own pages is not shown. */
export const getDisputeAnswer = operation({
  ...described,
  id: 'getDisputeAnswer',
  route: `GET ${of}/answer`,
  summary: 'Show the answer to a dispute.',
  params: Type.Object(named),
});

/** Replaces the texts of the draft; sends nothing. */
export const saveDisputeEvidence = operation({
  ...described,
  id: 'saveDisputeEvidence',
  route: `PUT ${of}/evidence`,
  summary: 'Save the texts of the answer to a dispute.',
  params: Type.Object(named),
  body: Type.Object({ version, evidence: disputeEvidence }),
  failsWith: ['invalidState', 'conflict'],
});

/** Goes to the card processor at once and is kept there alone; another of its kind is replaced. */
export const addDisputeFile = operation({
  ...described,
  id: 'addDisputeFile',
  route: `POST ${of}/files`,
  summary: 'Add a file to the answer to a dispute.',
  params: Type.Object(named),
  bodyBytes: limits.disputeFileBodyBytes,
  body: Type.Object({
    kind: Type.Enum([...evidenceFileKinds]),
    fileName: Type.String({ maxLength: limits.fileNameLength, ...oneLine }),
    content: Type.String({
      maxLength: Math.ceil(limits.disputeFilesBytes / 3) * 4,
      errorMessage: 'must be a file in base64, not larger than the limit',
      description: `A PDF, JPEG or PNG in base64. All files together: ${limits.disputeFilesBytes} bytes.`,
    }),
  }),
  failsWith: ['invalidState', 'railNotConfigured'],
});

export const removeDisputeFile = operation({
  ...described,
  id: 'removeDisputeFile',
  route: `DELETE ${of}/files/:fileKind`,
  summary: 'Take a file out of the answer to a dispute.',
  params: Type.Object({ ...named, fileKind: Type.Enum([...evidenceFileKinds]) }),
  failsWith: ['invalidState'],
});

/**
 * As it was read, and once: it cannot be changed or sent again, unless the bank only asked and takes the
 * money after it. Sent twice, it is one answer.
 */
export const submitDisputeAnswer = operation({
  ...described,
  id: 'submitDisputeAnswer',
  route: `POST ${of}/submit`,
  summary: 'Send the evidence to the card holder’s bank.',
  params: Type.Object(named),
  body: Type.Object({ version }),
  failsWith: ['invalidState', 'conflict'],
});

/** The card holder keeps the money. It cannot be undone. */
export const acceptDispute = operation({
  ...described,
  id: 'acceptDispute',
  route: `POST ${of}/accept`,
  summary: 'Accept that a dispute is lost.',
  params: Type.Object(named),
  failsWith: ['invalidState'],
});
