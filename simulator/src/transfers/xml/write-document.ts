import type { Html } from '#simulator/bank/pages/html.ts';

export const writeDocument = (namespace: string, content: Html): string =>
  `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:${namespace}">${content.html}</Document>
`;

export const poundsOf = (amountPence: bigint): string => {
  const digits = amountPence.toString().padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
};
