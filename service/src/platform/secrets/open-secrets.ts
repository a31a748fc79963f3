import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

/** Takes the same time wherever the two differ, also in length. */
export const equalsSecretly = (given: string | Buffer, expected: string | Buffer): boolean =>
  timingSafeEqual(digest(given), digest(expected));

const digest = (value: string | Buffer): Buffer => createHash('sha256').update(value).digest();

/** The context of a ciphertext: moved to another row or column it cannot be decrypted. */
export type SecretContext = {
  readonly table: string;
  readonly row: string;
  readonly column: string;
};

/** Encryption at rest, AES-256-GCM. A record that does not open is a bug or an attack: it throws. */
export type Secrets = {
  readonly encrypt: (plain: string | Buffer, context: SecretContext) => Buffer;
  readonly decrypt: (record: Buffer, context: SecretContext) => Buffer;
  readonly decryptText: (record: Buffer, context: SecretContext) => string;
  /** Whether the first master key encrypted this record. */
  readonly isNewest: (record: Buffer) => boolean;
  /** Of the first master key, as its records carry it. */
  readonly newestKeyId: Buffer;
  /** Of each master key, in hexadecimal. */
  readonly keyIds: readonly string[];
  /** A key for one purpose, the same in every process. Derived, it would change with the master key. */
  readonly keyFor: (purpose: string) => Buffer;
};

/** The first master key encrypts; every one of them decrypts, so that a key can be replaced. */
export const openSecrets = (
  masterKeys: readonly Buffer[],
  bytes: (count: number) => Buffer = randomBytes,
): Secrets => {
  const known = masterKeys.map(masterKey);
  const [newest] = known;
  if (!newest) throw new Error('a master key is needed');
  const decrypt: Secrets['decrypt'] = (record, context) => {
    const id = record.subarray(1, 1 + keyIdBytes);
    const used = known.find((candidate) => candidate.id.equals(id));
    if (record[0] !== recordVersion || record.length < headBytes || !used)
      throw new Error(
        `${context.table}.${context.column} was encrypted with an unknown master key`,
      );
    return open(used, record, contextText(context));
  };
  return {
    encrypt: (plain, context) => seal(newest, plain, contextText(context), bytes(nonceBytes)),
    decrypt,
    decryptText: (record, context) => decrypt(record, context).toString('utf8'),
    isNewest: (record) => record.subarray(1, 1 + keyIdBytes).equals(newest.id),
    newestKeyId: newest.id,
    keyIds: known.map(({ id }) => id.toString('hex')),
    keyFor: (purpose) => createHmac('sha256', newest.key).update(`purpose|${purpose}`).digest(),
  };
};

export const masterKeyBytes = 32;
const recordVersion = 1;
const keyIdBytes = 4;
const nonceBytes = 12;
const tagBytes = 16;
const headBytes = 1 + keyIdBytes + nonceBytes + tagBytes;

type MasterKey = { readonly id: Buffer; readonly key: Buffer };

const masterKey = (key: Buffer): MasterKey => {
  if (key.length !== masterKeyBytes) throw new Error('a master key has 32 bytes');
  return { key, id: createHash('sha256').update(key).digest().subarray(0, keyIdBytes) };
};

const contextText = ({ table, row, column }: SecretContext): string => {
  if (`${table}${row}${column}`.includes('|')) throw new Error('a place holds no "|"');
  return `${table}|${row}|${column}`;
};

// A key per place: random nonces under one key would wear out after 2^32 records.
const contextKey = ({ key }: MasterKey, context: string): Buffer =>
  createHmac('sha256', key).update(context).digest();

const seal = (used: MasterKey, plain: string | Buffer, context: string, nonce: Buffer): Buffer => {
  const cipher = createCipheriv('aes-256-gcm', contextKey(used, context), nonce);
  cipher.setAAD(Buffer.from(context));
  const text = Buffer.concat([
    typeof plain === 'string' ? cipher.update(plain, 'utf8') : cipher.update(plain),
    cipher.final(),
  ]);
  return Buffer.concat([Buffer.of(recordVersion), used.id, nonce, cipher.getAuthTag(), text]);
};

const open = (used: MasterKey, record: Buffer, context: string): Buffer => {
  const nonceEnd = 1 + keyIdBytes + nonceBytes;
  const nonce = record.subarray(1 + keyIdBytes, nonceEnd);
  const cipher = createDecipheriv('aes-256-gcm', contextKey(used, context), nonce);
  cipher.setAAD(Buffer.from(context));
  cipher.setAuthTag(record.subarray(nonceEnd, headBytes));
  return Buffer.concat([cipher.update(record.subarray(headBytes)), cipher.final()]);
};
