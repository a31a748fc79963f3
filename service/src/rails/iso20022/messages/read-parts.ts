import { hash } from 'node:crypto';
import { type Pence, penceFromPounds } from '#kernel/pence.ts';
import { holdsCardNumber, outsideText } from '#platform/card-numbers/mask-card-numbers.ts';
import type { TransferReason } from '#rails/transfer-rail.ts';
import { UnreadableXml, type XmlReader } from '../xml.ts';

/** The status codes of UK banks, each with the reason that a merchant sees. */
export const transferReasons: Readonly<Record<string, string>> = {
  AC01: 'The account number does not exist.',
  AC03: 'The account to be paid does not exist.',
  AC04: 'The account to be paid is closed.',
  AC06: 'The account to be paid is blocked.',
  AC13: 'The account to be paid is of a kind that cannot receive this transfer.',
  AC14: 'The account to be paid is of a kind that cannot receive this transfer.',
  AG01: 'The account to be paid does not allow transfers of this kind.',
  AG02: 'The bank does not offer this kind of transfer.',
  AM02: 'The amount is above what the bank allows.',
  AM04: 'The paying account does not hold enough money.',
  AM05: 'The bank has had this transfer before.',
  AM09: 'The amount differs from what was agreed.',
  AM14: 'The amount is above the limit that was agreed with the bank.',
  AM21: 'The amount is above the limit of a day.',
  BE01: 'The name does not belong to the account.',
  BE04: 'The address of the account holder is missing.',
  CUST: 'The sender asked for it.',
  CNOR: 'The bank to be paid is not known.',
  DNOR: 'The paying bank is not known.',
  DS04: 'The bank refused the order.',
  DT01: 'The date is not possible.',
  DUPL: 'The bank has had this transfer before.',
  ED05: 'The transfer could not be settled.',
  FF01: 'The bank could not read the order.',
  FOCR: 'The money was called back.',
  FR01: 'The bank suspects fraud.',
  MD07: 'The account holder has died.',
  MS02: 'The receiver does not accept the money, for no given reason.',
  MS03: 'The bank does not say why.',
  NARR: 'The bank gave a reason in words only.',
  NOAS: 'The receiver did not answer.',
  RC01: 'The sort code is wrong.',
  RC04: 'The bank to be paid is wrong.',
  RR01: 'The sender is not identified well enough.',
  RR02: 'The sender’s name or address is missing.',
  RR03: 'The receiver’s name or address is missing.',
  RR04: 'The transfer was stopped for regulatory reasons.',
  TM01: 'The order came after the bank’s closing time.',
};

const otherReason = 'The bank gave a reason of its own.';

const describeReason = (code: string): TransferReason => ({
  code,
  description: transferReasons[code] ?? otherReason,
});

/** A time without a zone is taken as UTC, so that one message means the same on every machine. */
export const readTime = (text: string): Date => {
  const hasZone = /(Z|[+-]\d{2}:\d{2})$/.test(text);
  const time = new Date(hasZone ? text : `${text}Z`);
  if (!isOfOurTime(time.getTime())) throw new UnreadableXml(`${text.slice(0, 40)} is no time.`);
  return time;
};

/** The year 0 is none of PostgreSQL, and any other mistake. */
const isOfOurTime = (ms: number): boolean => ms >= Date.UTC(1970) && ms < Date.UTC(2200);

/** Pence of an amount in pounds; zeros after the second place are fine, anything else is not. */
export const readAmount = (node: XmlReader | null): Pence => {
  if (!node) throw new UnreadableXml('An amount is missing.');
  const currency = node.attribute('Ccy');
  if (currency !== 'GBP') throw new UnreadableXml(`An amount is in ${currency ?? 'no currency'}.`);
  const digits = node.text.replace(/^\+/, '').replace(/(\.\d{2})0+$/, '$1');
  const amount = penceFromPounds(digits.replace(/\.$/, '').replace(/^\./, '0.'));
  if (amount === null) throw new UnreadableXml(`${node.text.slice(0, 40)} is no amount of pounds.`);
  return amount;
};

const maxReasonCharacters = 35;

export const readReason = (node: XmlReader | null): TransferReason | null => {
  const code = outsideText(node?.textAt('Cd') ?? node?.textAt('Prtry'), maxReasonCharacters);
  return code ? describeReason(code) : null;
};

/** A date, or the day of a time as the bank wrote it. */
export const readDay = (node: XmlReader | null): string | null => {
  const text = node?.textAt('Dt') ?? node?.textAt('DtTm')?.slice(0, 10) ?? null;
  if (text === null) return null;
  const day = text.slice(0, 10);
  if (!isDay(day)) throw new UnreadableXml(`${day} is no date.`);
  return day;
};

/** The 30th of February has the form of a day and is none. */
const isDay = (text: string): boolean => {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return isOfOurTime(time) && new Date(time).toISOString().startsWith(text);
};

/** A UK account: eight digits, fourteen with the sort code before them, or a GB IBAN. */
export const readAccount = (
  account: XmlReader | null,
  sortCodeElsewhere: string | null,
): { readonly sortCode: string | null; readonly accountNumber: string | null } => {
  const iban = account?.textAt('Id', 'IBAN')?.replaceAll(' ', '');
  const own = account?.textAt('Id', 'Othr', 'Id')?.replace(/[ -]/g, '');
  const text = iban && /^GB\d{2}[A-Z]{4}\d{14}$/.test(iban) ? iban.slice(8) : (own ?? iban ?? null);
  if (text !== null && /^\d{14}$/.test(text))
    return { sortCode: text.slice(0, 6), accountNumber: text.slice(6) };
  return { sortCode: sortCodeElsewhere, accountNumber: text };
};

export const readSortCode = (agent: XmlReader | null): string | null =>
  agent?.textAt('FinInstnId', 'ClrSysMmbId', 'MmbId')?.replace(/[ -]/g, '') ?? null;

/** Longer than any bank may send: it would match nothing, and no index takes it. */
const maxReferenceCharacters = 140;

/** A bank's number may look like that of a card: a digest tells it from others as well. */
export const checkReference = <Text extends string | null>(reference: Text): Text | string => {
  if (reference === null) return reference;
  if (reference.length > maxReferenceCharacters)
    throw new UnreadableXml('A reference is too long.');
  return holdsCardNumber(reference) ? `sha256-${hash('sha256', reference)}` : reference;
};
