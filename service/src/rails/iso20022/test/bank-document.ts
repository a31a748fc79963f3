import { element, writeXml, type XmlNode } from '../xml.ts';

export const bankDocument = (namespace: string, content: XmlNode): string =>
  writeXml(
    element('Document', [content], { xmlns: `urn:iso:std:iso:20022:tech:xsd:${namespace}` }),
  );

export const header = element('GrpHdr', [
  element('MsgId', 'BANK-1'),
  element('CreDtTm', '2026-11-22T07:00:00Z'),
]);
