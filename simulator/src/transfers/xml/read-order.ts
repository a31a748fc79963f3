import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { XmlDocument, XmlNode } from 'libxml2-wasm';
import type { NamedAccount, Order, OrderedTransfer } from '../model.ts';

const schema = new URL('../../../data/iso20022/pain.001.001.09.xsd', import.meta.url);

type Validated<Read> = { readonly read: Read } | { readonly mistake: string };

// Reads only what the schema allows: a client with wrong messages gets an error.
export const validateOrder = async <Read>(
  text: string,
  read: (document: XmlDocument) => Read,
): Promise<Validated<Read>> => {
  validator ??= loadValidator();
  return (await validator)(text, read);
};

type Validator = <Read>(text: string, read: (document: XmlDocument) => Read) => Validated<Read>;

// Loaded for the first message: a simulator without transfers starts faster.
let validator: Promise<Validator> | undefined;

const loadValidator = async (): Promise<Validator> => {
  const { XmlDocument: Documents, XmlError, XsdValidator } = await import('libxml2-wasm');
  const document = Documents.fromString(await readFile(schema, 'utf8'));
  const checker = XsdValidator.fromDoc(document);
  document.dispose();
  return (text, read) => {
    let parsed: XmlDocument | undefined;
    try {
      parsed = Documents.fromString(text);
      checker.validate(parsed);
      return { read: read(parsed) };
    } catch (error) {
      if (!(error instanceof XmlError)) throw error;
      return { mistake: error.message.trim().slice(0, 400) };
    } finally {
      parsed?.dispose();
    }
  };
};

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
