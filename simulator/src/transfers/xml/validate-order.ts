import { readFile } from 'node:fs/promises';
import { XmlDocument, XmlError, XsdValidator } from 'libxml2-wasm';

const schema = new URL('../../../data/iso20022/pain.001.001.09.xsd', import.meta.url);

export type ValidateOrder = <Read>(
  text: string,
  read: (document: XmlDocument) => Read,
) => { readonly read: Read } | { readonly mistake: string };

// Reads only what the schema allows: a client that writes nonsense is to hear of it.
export const openOrderValidator = async (): Promise<ValidateOrder> => {
  const document = XmlDocument.fromString(await readFile(schema, 'utf8'));
  const validator = XsdValidator.fromDoc(document);
  document.dispose();
  return (text, read) => {
    let parsed: XmlDocument | undefined;
    try {
      parsed = XmlDocument.fromString(text);
      validator.validate(parsed);
      return { read: read(parsed) };
    } catch (error) {
      if (!(error instanceof XmlError)) throw error;
      return { mistake: error.message.trim().slice(0, 400) };
    } finally {
      parsed?.dispose();
    }
  };
};
