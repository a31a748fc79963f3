import { createHash } from 'node:crypto';
import type { XmlDocument, XmlNode } from 'libxml2-wasm';
import type { NamedAccount, Order, OrderedTransfer } from '../model.ts';

const namespaces = { p: 'urn:iso:std:iso:20022:tech:xsd:pain.001.001.09' };

// A schema-valid pain.001; undefined when a UK bank could not execute it.
export const readOrder = (document: XmlDocument, text: string): Order | undefined => {
  const { root } = document;
  const [payment, another] = root.find(path('CstmrCdtTrfInitn/PmtInf'), namespaces);
  if (!payment || another) return undefined;
  const debtor = accountOf(payment, 'Dbtr');
  const transfers = payment.find(path('CdtTrfTxInf'), namespaces).map(transferOf);
  const count = textAt(root, 'CstmrCdtTrfInitn/GrpHdr/NbOfTxs');
  if (!debtor || !areAll(transfers) || String(transfers.length) !== count) return undefined;
  return {
    messageId: textAt(root, 'CstmrCdtTrfInitn/GrpHdr/MsgId'),
    contentHash: createHash('sha256').update(text).digest('hex'),
    text,
    debtor,
    transfers,
  };
};

const transferOf = (node: XmlNode): OrderedTransfer | undefined => {
  const creditor = accountOf(node, 'Cdtr');
  const amountPence = penceOf(textAt(node, 'Amt/InstdAmt[@Ccy="GBP"]'));
  if (!creditor || !amountPence) return undefined;
  return {
    creditor,
    amountPence,
    endToEndId: textAt(node, 'PmtId/EndToEndId'),
    ultimateDebtorId: textAt(node, 'UltmtDbtr/Id/OrgId/Othr/Id') || undefined,
    reference: textAt(node, 'RmtInf/Ustrd') || textAt(node, 'RmtInf/Strd/CdtrRefInf/Ref'),
  };
};

const areAll = (
  transfers: readonly (OrderedTransfer | undefined)[],
): transfers is readonly OrderedTransfer[] => transfers.every((transfer) => transfer !== undefined);

const accountOf = (node: XmlNode, role: 'Dbtr' | 'Cdtr'): NamedAccount | undefined => {
  const member = `${role}Agt/FinInstnId/ClrSysMmbId[ClrSysId/Cd="GBDSC"]/MmbId`;
  const sortCode = textAt(node, member);
  const accountNumber = textAt(node, `${role}Acct/Id/Othr/Id`);
  if (!/^\d{6}$/.test(sortCode) || !/^\d{8}$/.test(accountNumber)) return undefined;
  return { sortCode, accountNumber, name: textAt(node, `${role}/Nm`) };
};

const penceOf = (pounds: string): bigint | undefined => {
  const match = /^(\d{1,13})(?:\.(\d{1,2}))?$/.exec(pounds);
  if (!match) return undefined;
  return BigInt(match[1] ?? 0) * 100n + BigInt((match[2] ?? '').padEnd(2, '0'));
};

const textAt = (node: XmlNode, steps: string): string =>
  node.get(path(steps), namespaces)?.content.trim() ?? '';

// Every step in the namespace of the message: Amt/InstdAmt becomes p:Amt/p:InstdAmt.
const path = (steps: string): string => steps.replace(/(^|\/|\[)(?=[A-Z])/g, '$1p:');
