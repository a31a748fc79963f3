import { readFileSync } from 'node:fs';
import { XmlDocument, XsdValidator } from 'libxml2-wasm';

const validators = new Map<string, XsdValidator>();

/** Throws when a message breaks the schema of its namespace. */
export const validateMessage = (text: string): void => {
  const name = /xmlns="urn:iso:std:iso:20022:tech:xsd:([a-z0-9.]+)"/.exec(text)?.[1];
  if (!name) throw new Error('the message names no schema');
  const document = XmlDocument.fromString(text);
  try {
    validatorOf(name).validate(document);
  } finally {
    document.dispose();
  }
};

const validatorOf = (name: string): XsdValidator => {
  const known = validators.get(name);
  if (known) return known;
  const schema = readFileSync(new URL(`../fixtures/${name}.xsd`, import.meta.url), 'utf8');
  const document = XmlDocument.fromString(schema);
  const validator = XsdValidator.fromDoc(document);
  document.dispose();
  validators.set(name, validator);
  return validator;
};
