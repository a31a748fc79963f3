import type { ReplyOf } from '@florin/contract';
import type { getDisputeAnswer } from '@florin/contract/dashboard/index.ts';

type Answer = ReplyOf<typeof getDisputeAnswer>;
export type EvidenceName = keyof Answer['evidence'];
export type FileKind = Answer['files'][number]['kind'];

export const evidenceTitles: { readonly [Name in EvidenceName]: string } = {
  productDescription: 'What was sold',
  customerName: 'Customer name',
  customerEmail: 'Customer email',
  serviceDate: 'Date of the service',
  shippingAddress: 'Sent to',
  shippingDate: 'Sent on',
  shippingCarrier: 'Sent with',
  shippingTrackingNumber: 'Tracking number',
  refundPolicyShown: 'How the customer was shown the refund policy',
  refundRefusal: 'Why no refund is due',
  other: 'Anything else',
};

/** The groups of the form, in its order. */
export const evidenceGroups: readonly (readonly [title: string, names: readonly EvidenceName[]])[] =
  [
    ['Order', ['productDescription', 'serviceDate']],
    ['Customer', ['customerName', 'customerEmail']],
    ['Delivery', ['shippingAddress', 'shippingDate', 'shippingCarrier', 'shippingTrackingNumber']],
    ['Refund policy', ['refundPolicyShown', 'refundRefusal']],
    ['Anything more', ['other']],
  ];

export const dayNames: readonly EvidenceName[] = ['serviceDate', 'shippingDate'];

/** Written in several lines. */
export const longTexts: readonly EvidenceName[] = [
  'productDescription',
  'shippingAddress',
  'refundPolicyShown',
  'refundRefusal',
  'other',
];

export const fileTitles: { readonly [Kind in FileKind]: string } = {
  receipt: 'Receipt',
  customerCommunication: 'Messages with the customer',
  shippingDocumentation: 'Proof of delivery',
  serviceDocumentation: 'Proof of the service',
  refundPolicy: 'Refund policy',
  other: 'Another document',
};

export const evidenceNames = Object.keys(evidenceTitles) as readonly EvidenceName[];
export const fileKinds = Object.keys(fileTitles) as readonly FileKind[];
