import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  type KeyObject,
  randomBytes,
  randomUUID,
  X509Certificate,
} from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { calculateJwkThumbprint, type JWK } from 'jose';

export type Credentials = {
  readonly identity: Identity;
  readonly authorityPem: string;
  readonly server: { readonly certificatePem: string; readonly keyPem: string };
  readonly clientSigningKey: SigningKey;
  // Signs what the directory says of its firms.
  readonly directoryKey: SigningKey;
  // Of a bank, by the name of its key.
  readonly openKey: (name: string) => Promise<SigningKey>;
};

// What a directory issues to its one registered third-party provider, and what the banks store.
export type Identity = {
  readonly clientId: string;
  readonly organisationId: string;
  readonly softwareStatementId: string;
  readonly trustAnchor: string;
  readonly controlToken: string;
  readonly cookieSecret: string;
};

type Options = {
  readonly folder: string;
  readonly serverHosts: readonly string[];
  readonly now: number;
  // PEM files, of a P-256 key; a folder that has an authority already stays with it.
  readonly authority?: { readonly certificateFile: string; readonly keyFile: string };
  // Of the client's transport certificate, made at the first start.
  readonly clientKey?: ClientKey;
};

export type ClientKey = 'ec' | 'rsa';

export const openCredentials = async (options: Options): Promise<Credentials> => {
  const { folder } = options;
  await mkdir(join(folder, 'private'), { recursive: true, mode: 0o700 });
  const keys = new Map<string, Promise<SigningKey>>();
  const openKey = (name: string): Promise<SigningKey> => {
    const key = keys.get(name) ?? openCertifiedKey(options, name);
    keys.set(name, key);
    return key;
  };
  const directoryKey = openSigningKey(folder, 'directory');
  const identity = (await readIdentity(folder)) ?? (await createCredentials(options));
  const [authorityPem, server, clientKeyPem] = await Promise.all([
    readFile(join(folder, 'ca.pem'), 'utf8'),
    openServerCertificate(options),
    readFile(join(folder, 'signing-key.pem'), 'utf8'),
  ]);
  return {
    ...{ identity, authorityPem, server, openKey },
    clientSigningKey: await signingKeyFrom(clientKeyPem),
    directoryKey: await directoryKey,
  };
};

const readIdentity = async (folder: string): Promise<Identity | undefined> => {
  const text = await readIfThere(join(folder, 'private', 'identity.json'));
  return text === undefined ? undefined : (JSON.parse(text) as Identity);
};

// identity.json is written last: a first start that was killed before it starts over.
const createCredentials = async (options: Options): Promise<Identity> => {
  const { folder, now, authority: files, clientKey } = options;
  const { issueAuthority, issueTransportCertificate } = await import('./issued-certificate.ts');
  const identity: Identity = {
    clientId: randomUUID(),
    // The standard's ids have 18 characters.
    organisationId: 'sim0tpp00000001AAA',
    softwareStatementId: randomBytes(16).toString('base64url').slice(0, 22),
    trustAnchor: 'openbanking.org.uk',
    controlToken: randomBytes(32).toString('base64url'),
    cookieSecret: randomBytes(32).toString('base64url'),
  };
  const signingKeyPem = generateRsaPem();
  const authority = files
    ? {
        certificatePem: await readFile(files.certificateFile, 'utf8'),
        keyPem: await readFile(files.keyFile, 'utf8'),
      }
    : await issueAuthority('Simulated directory', now);
  const transport = await issueTransportCertificate(authority, identity, now, clientKey);
  await writePrivateFile(join(folder, 'ca.pem'), authority.certificatePem);
  await writePrivateFile(join(folder, 'private', 'ca-key.pem'), authority.keyPem);
  await writePrivateFile(join(folder, 'private', 'server.json'), '{}');
  await writePrivateFile(join(folder, 'transport.pem'), transport.certificatePem);
  await writePrivateFile(join(folder, 'transport-key.pem'), transport.keyPem);
  await writePrivateFile(join(folder, 'signing-key.pem'), await signingKeyPem);
  await writePrivateFile(join(folder, 'private', 'identity.json'), JSON.stringify(identity));
  return identity;
};

type StoredServer = {
  readonly hosts: readonly string[];
  readonly certificatePem: string;
  readonly keyPem: string;
};

const openServerCertificate = async (options: Options): Promise<StoredServer> => {
  const { folder, serverHosts } = options;
  const path = join(folder, 'private', 'server.json');
  const stored = JSON.parse((await readIfThere(path)) ?? '{}') as Partial<StoredServer>;
  if (stored.hosts && serverHosts.every((host) => stored.hosts?.includes(host))) {
    return stored as StoredServer;
  }
  const { issueServerCertificate } = await import('./issued-certificate.ts');
  const issued = await issueServerCertificate(
    await readAuthority(folder),
    serverHosts,
    options.now,
  );
  const server = { hosts: serverHosts, ...issued };
  await writePrivateFile(path, JSON.stringify(server));
  return server;
};

const readAuthority = async (folder: string) => ({
  certificatePem: await readFile(join(folder, 'ca.pem'), 'utf8'),
  keyPem: await readFile(join(folder, 'private', 'ca-key.pem'), 'utf8'),
});

// Of a bank: its key set shows the key's certificate and who issued it.
const openCertifiedKey = async ({ folder, now }: Options, name: string): Promise<SigningKey> => {
  const key = await openSigningKey(folder, name);
  const certificatePem = await keepSecret(folder, `${name}-signing.pem`, async () => {
    const { issueSigningCertificate } = await import('./issued-certificate.ts');
    return issueSigningCertificate(await readAuthority(folder), key.publicJwk, name, now);
  });
  const x5c = [certificatePem, await readFile(join(folder, 'ca.pem'), 'utf8')].map((pem) =>
    new X509Certificate(pem).raw.toString('base64'),
  );
  return {
    ...key,
    publicJwk: { ...key.publicJwk, x5c },
    privateJwk: { ...key.privateJwk, x5c },
  };
};

const openSigningKey = async (folder: string, name: string): Promise<SigningKey> =>
  signingKeyFrom(await keepSecret(folder, `${name}-signing-key.pem`, generateRsaPem));

// Made at the first start and stored: after a restart it is the same.
export const keepSecret = async (
  trustFolder: string,
  file: string,
  make: () => Promise<string> | string,
): Promise<string> => {
  const path = join(trustFolder, 'private', file);
  const stored = await readIfThere(path);
  if (stored !== undefined) return stored;
  const made = await make();
  await writePrivateFile(path, made);
  return made;
};

export const serverHostsOf = (host: string, backUrl: string | undefined): readonly string[] => {
  const given = backUrl === undefined ? [] : [new URL(backUrl).hostname.replace(/^\[|\]$/g, '')];
  const listening = isIP(host) && /^(0\.0\.0\.0|::)$/.test(host) ? [] : [host];
  return [...new Set(['localhost', '127.0.0.1', ...listening, ...given])];
};

// The password of the client at a bank that has not moved to keys.
export const clientSecretFor = ({ identity }: Credentials, bankId: string): string =>
  createHmac('sha256', identity.cookieSecret).update(`client of ${bankId}`).digest('base64url');

export const clientSubjectOf = ({ identity }: Credentials): string =>
  `CN=${identity.softwareStatementId}, OU=${identity.organisationId}, O=Sandbox, C=GB`;

const readIfThere = async (path: string): Promise<string | undefined> => {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
};

export type SigningKey = {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicJwk: JWK;
  readonly privateJwk: JWK;
};

const makeKeyPair = promisify(generateKeyPair);

const generateRsaPem = async (): Promise<string> => {
  const { privateKey } = await makeKeyPair('rsa', { modulusLength: 2048 });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
};

const signingKeyFrom = async (pem: string): Promise<SigningKey> => {
  const privateKey = createPrivateKey(pem);
  const publicPart = createPublicKey(privateKey).export({ format: 'jwk' }) as JWK;
  const kid = (await calculateJwkThumbprint(publicPart)).slice(0, 27);
  const use = { kid, alg: 'PS256', use: 'sig' } as const;
  return {
    kid,
    privateKey,
    publicJwk: { ...publicPart, ...use },
    privateJwk: { ...(privateKey.export({ format: 'jwk' }) as JWK), ...use },
  };
};

// Written beside and renamed, so that a reader or a crash never sees half a file.
export const writePrivateFile = async (path: string, text: string): Promise<void> => {
  const beside = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  await writeFile(beside, text, { mode: 0o600 });
  await rename(beside, path);
};
