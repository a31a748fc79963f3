import { hash } from 'node:crypto';
import type { Pence } from '#kernel/pence.ts';
import { penceFromPounds } from '#kernel/pence.ts';
import { holdsCardNumber } from '#platform/card-numbers/holds-card-number.ts';
import { outsideText } from '#platform/card-numbers/outside-text.ts';
import type { TransferReason } from '#rails/transfer-rail.ts';
import type { XmlReader } from '../xml/read-xml.ts';
import { UnreadableXml } from '../xml/unreadable-xml.ts';
import { describeReason } from './transfer-reasons.ts';

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
