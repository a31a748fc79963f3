export type XmlNode = {
  readonly name: string;
  readonly content: string | readonly XmlNode[];
  readonly attributes: string;
};

type Child = XmlNode | undefined | false;

export const element = (
  name: string,
  content: string | readonly Child[],
  attributes = '',
): XmlNode => ({
  ...{ name, attributes },
  content: typeof content === 'string' ? content : content.filter((child) => !!child),
});

export const amountElement = (name: string, amountPence: bigint): XmlNode =>
  element(name, poundsOf(amountPence), ' Ccy="GBP"');

export const writeDocument = (namespace: string, content: XmlNode): string => {
  const xmlns = ` xmlns="urn:iso:std:iso:20022:tech:xsd:${namespace}"`;
  const text = textOf(element('Document', [content], xmlns));
  return `<?xml version="1.0" encoding="UTF-8"?>\n${text}\n`;
};

const textOf = ({ name, content, attributes }: XmlNode): string => {
  const inner = typeof content === 'string' ? escaped(content) : content.map(textOf).join('');
  return `<${name}${attributes}>${inner}</${name}>`;
};

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const poundsOf = (amountPence: bigint): string => {
  const digits = amountPence.toString().padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
};
