import { parseXml, XmlDocumentType, XmlElement, XmlText } from '@rgrove/parse-xml';

/** What is wrong with a message of the bank, in words for the operator. */
export class UnreadableXml extends Error {}

type Decoded = { readonly text: string; readonly problem: string | null };

const declaration = /^<\?xml[^>]*\sencoding=["']([A-Za-z0-9._-]{1,30})["']/;

/** Bytes as text, in the encoding that their first line declares. */
export const decodeXml = (content: Uint8Array): Decoded => {
  const start = Buffer.from(content.subarray(0, 200)).toString('latin1');
  const encoding = declaration.exec(start)?.[1] ?? 'utf-8';
  try {
    return { text: new TextDecoder(encoding, { fatal: true }).decode(content), problem: null };
  } catch {
    const text = Buffer.from(content).toString('latin1');
    return { text, problem: `The file is not text in the encoding ${encoding}.` };
  }
};

export const readXml = (text: string): XmlReader => {
  const document = parse(text);
  // A document type is never part of these messages; it could only be an attack.
  if (document.children.some((node) => node instanceof XmlDocumentType))
    throw new UnreadableXml('The message has a document type declaration.');
  if (!document.root) throw new UnreadableXml('The message has no root element.');
  return readerOf(document.root);
};

/** An element of a message; names are local names, because banks choose their own prefixes. */
export type XmlReader = {
  readonly name: string;
  readonly namespace: string;
  readonly text: string;
  readonly attribute: (name: string) => string | null;
  readonly all: (...path: readonly string[]) => readonly XmlReader[];
  readonly find: (...path: readonly string[]) => XmlReader | null;
  /** The text at a path; null when missing or empty. */
  readonly textAt: (...path: readonly string[]) => string | null;
  /** Throws when the element is missing. */
  readonly required: (...path: readonly string[]) => string;
};

const parse = (text: string) => {
  try {
    return parseXml(text, { preserveDocumentType: true });
  } catch (error) {
    const [firstLine] = (error as Error).message.split('\n');
    throw new UnreadableXml(`The message is not well-formed XML: ${firstLine}`);
  }
};

const readerOf = (node: XmlElement): XmlReader => {
  const all = (...[first, ...rest]: readonly string[]): readonly XmlReader[] => {
    const named = node.children.filter(
      (child): child is XmlElement =>
        child instanceof XmlElement && localName(child.name) === first,
    );
    const readers = named.map(readerOf);
    return rest.length === 0 ? readers : readers.flatMap((reader) => reader.all(...rest));
  };
  const find = (...path: readonly string[]) => all(...path)[0] ?? null;
  const textAt = (...path: readonly string[]) => find(...path)?.text || null;
  return {
    name: localName(node.name),
    namespace: namespaceOf(node),
    text: textOf(node),
    attribute: (name) => node.attributes[name] ?? null,
    all,
    find,
    textAt,
    required: (...path) => {
      const text = textAt(...path);
      if (text === null)
        throw new UnreadableXml(`${localName(node.name)}/${path.join('/')} is missing.`);
      return text;
    },
  };
};

/** Own text only: an element of these messages has either text or children. */
const textOf = (node: XmlElement): string =>
  node.children
    .map((child) => (child instanceof XmlText ? child.text : ''))
    .join('')
    .trim();

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

const namespaceOf = ({ name, attributes }: XmlElement): string => {
  const prefix = name.includes(':') ? `:${name.slice(0, name.indexOf(':'))}` : '';
  return attributes[`xmlns${prefix}`] ?? '';
};

export const writeXml = (root: XmlNode): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${writtenText(root)}\n`;

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

const writtenText = ({ name, attributes, content }: XmlNode): string => {
  const written = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${escapeText(value)}"`,
  );
  const inner =
    typeof content === 'string' ? escapeText(content) : content.map(writtenText).join('');
  return `<${name}${written.join('')}>${inner}</${name}>`;
};

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

const escapeText = (text: string): string => text.replace(/[&<>"]/g, (sign) => escapes[sign] ?? '');
