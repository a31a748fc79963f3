/** Bytes as PostgreSQL reads them out of JSON. */
export const bytesToHex = (bytes: Buffer): string => `\\x${bytes.toString('hex')}`;
