export type Decoded = { readonly text: string; readonly problem: string | null };

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
