export const writeXml = (root: XmlNode): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${textOf(root)}\n`;

export type XmlNode = {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly content: string | readonly XmlNode[];
};

type Child = XmlNode | null | undefined | false;

/** Children that are null or false are left out, so that an optional element is one expression. */
export const element = (
  name: string,
  content: string | readonly Child[],
  attributes: Readonly<Record<string, string>> = {},
): XmlNode => ({
  name,
  attributes,
  content: typeof content === 'string' ? content : content.filter((child) => !!child),
});

const textOf = ({ name, attributes, content }: XmlNode): string => {
  const written = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${escapeText(value)}"`,
  );
  const inner = typeof content === 'string' ? escapeText(content) : content.map(textOf).join('');
  return `<${name}${written.join('')}>${inner}</${name}>`;
};

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

const escapeText = (text: string): string => text.replace(/[&<>"]/g, (sign) => escapes[sign] ?? '');
