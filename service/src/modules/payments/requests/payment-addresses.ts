import { shortCode } from './short-code.ts';

/** Addresses of a payment request. They never expire and follow the payment. */
export const paymentAddresses = (
  publicUrl: string,
  paymentRequestId: string,
  template: string | null,
) => ({
  qrCodeUrl: `${publicUrl}/payment-qr-codes/${paymentRequestId}.svg`,
  qrCodeUrlPng: `${publicUrl}/payment-qr-codes/${paymentRequestId}.png`,
  ...(template ? { templateUrl: templateUrl(publicUrl, paymentRequestId, template) } : {}),
  paymentUrl: paymentUrl(publicUrl, paymentRequestId),
  shortUrl: `${publicUrl}/p/${shortCode(paymentRequestId)}`,
  paymentRequestId,
});

export const paymentUrl = (publicUrl: string, paymentRequestId: string): string =>
  `${publicUrl}/pay?paymentRequestId=${paymentRequestId}&source=EXTERNAL_MERCHANT`;

// Existing clients look for these names in the address.
const templateFolders: Readonly<Record<string, string>> = {
  EXTERNAL_DISPLAY: 'external-display_payment-qr-codes/:id.svg',
  EXTERNAL_DISPLAY_PNG: 'external-display-png_payment-qr-codes/:id.png',
  RECEIPT: 'receipt-payment-qr-codes/:id.svg',
  RECEIPT_PNG: 'receipt-payment-qr-codes/:id.png',
};

const templateUrl = (publicUrl: string, paymentRequestId: string, template: string): string =>
  `${publicUrl}/${(templateFolders[template] ?? '').replace(':id', paymentRequestId)}`;
