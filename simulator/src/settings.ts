import { readFileSync } from 'node:fs';

export type Settings = ReturnType<typeof readSettings>;

type Environment = Readonly<Record<string, string | undefined>>;

export const readSettings = (environment: Environment) => ({
  host: environment.SIMULATOR_HOST || '127.0.0.1',
  port: portOf(environment, 'SIMULATOR_PORT', 4010),
  mtlsPort: portOf(environment, 'SIMULATOR_MTLS_PORT', 4011),
  cardsPort: portOf(environment, 'SIMULATOR_CARDS_PORT', environment.SIMULATOR_PORT ? 0 : 4012),
  url: addressOf(environment, 'SIMULATOR_URL'),
  backUrl: addressOf(environment, 'SIMULATOR_BACK_URL'),
  cardsUrl: addressOf(environment, 'SIMULATOR_CARDS_URL'),
  cardsWebhookUrls: listOf(environment.SIMULATOR_CARDS_WEBHOOK_URLS),
  // Where the transfer hub sends its notices.
  noticeUrl: addressOf(environment, 'SIMULATOR_TRANSFERS_NOTICE_URL'),
  databaseUrl: environment.SIMULATOR_DATABASE_URL_FILE
    ? readFileSync(environment.SIMULATOR_DATABASE_URL_FILE, 'utf8').trim()
    : needed(environment, 'SIMULATOR_DATABASE_URL'),
  trustFolder: needed(environment, 'SIMULATOR_TRUST_FOLDER'),
  banksFile: environment.SIMULATOR_BANKS_FILE || undefined,
  redirectUris: listOf(environment.SIMULATOR_REDIRECT_URIS),
  exitsWithParent: environment.SIMULATOR_EXIT_WITH_PARENT === '1',
  // Logs in and approves at every bank by itself: no page is shown.
  autoCustomer: environment.SIMULATOR_AUTO_CUSTOMER || undefined,
  // Payments and transfers that settle after two seconds do so by then.
  settlesByMs: millisecondsOf(environment, 'SIMULATOR_SETTLES_BY_MS'),
  // The client's transport key: some suites take RSA alone.
  clientKey: clientKeyOf(environment),
  // Of a certificate authority that others trust already; without them it makes one.
  ...authorityFilesOf(environment),
});

const clientKeyOf = ({ SIMULATOR_CLIENT_KEY: key = 'ec' }: Environment): 'ec' | 'rsa' => {
  if (key !== 'ec' && key !== 'rsa') throw new Error('SIMULATOR_CLIENT_KEY is ec or rsa');
  return key;
};

const authorityFilesOf = (environment: Environment) => {
  const authorityCertificateFile = environment.SIMULATOR_CA_CERTIFICATE || undefined;
  const authorityKeyFile = environment.SIMULATOR_CA_KEY || undefined;
  if ((authorityCertificateFile === undefined) !== (authorityKeyFile === undefined))
    throw new Error('SIMULATOR_CA_CERTIFICATE and SIMULATOR_CA_KEY are set together');
  return { authorityCertificateFile, authorityKeyFile };
};

const listOf = (text = ''): readonly string[] => {
  const words = text.split(',').map((word) => word.trim());
  return words.filter((word) => word !== '');
};

const needed = (environment: Environment, name: string): string => {
  const value = environment[name];
  if (!value) throw new Error(`${name} is not set`);
  return value;
};

const portOf = (environment: Environment, name: string, fallback: number): number => {
  const text = environment[name];
  if (!text) return fallback;
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65535) throw new Error(`${name} is not a port`);
  return port;
};

const millisecondsOf = (environment: Environment, name: string): number | undefined => {
  const text = environment[name];
  if (!text) return undefined;
  const milliseconds = Number(text);
  if (!Number.isInteger(milliseconds) || milliseconds < 300)
    throw new Error(`${name} is no whole number from 300`);
  return milliseconds;
};

const addressOf = (environment: Environment, name: string): string | undefined => {
  const text = environment[name];
  if (!text) return undefined;
  if (!URL.canParse(text)) throw new Error(`${name} is not a URL`);
  return text.replace(/\/+$/, '');
};
