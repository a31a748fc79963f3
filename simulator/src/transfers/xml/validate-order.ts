import { readFile } from 'node:fs/promises';
import type { XmlDocument } from 'libxml2-wasm';

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
