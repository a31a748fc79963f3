import { limits } from '@florin/contract';
import {
  accountText,
  addresses,
  addressText,
  choice,
  headerList,
  hosts,
  httpUrl,
  masterKeys,
  networks,
  optional,
  origin,
  postgresUrl,
  poundsAmount,
  secret,
  setting,
  text,
  token,
  wholeNumber,
} from './settings.ts';

const longestKeptDays = 3_650;
const httpsUrl = addressText(['https:']);
const asTold = 'not fewer than merchants are told.';

/** All that an operator sets, by the names that the code knows it by. */
export const knownSettings = {
  port: setting('PORT', '3000', 'Port to listen on; 0 takes a free one.', wholeNumber(0, 65_535)),
  host: setting('HOST', '127.0.0.1', 'Address to listen on.', text(255)),
  publicUrl: optional(
    'PUBLIC_URL',
    'What customers and phones can reach; begins every link. Default: the listening address.',
    httpUrl,
  ),
  dashboardOrigin: optional(
    'DASHBOARD_URL',
    'A host of its own for the dashboard, as https://people.example.com; PUBLIC_URL too. Default: that.',
    origin,
  ),
  databaseUrl: secret(
    'DATABASE_URL',
    'Your PostgreSQL, 15 to 18; several servers, of which one takes writes, stand as ' +
      'host:port,host:port. Default: one that the start runs itself in the data folder.',
    postgresUrl,
  ),
  databaseReadUrl: secret(
    'DATABASE_READ_URL',
    'A standby that answers lists, searches and reports. Default: the primary answers them.',
    addressText(['postgres:', 'postgresql:']),
  ),
  databaseTls: setting(
    'DATABASE_TLS',
    'offered',
    'verified: DATABASE_URL and DATABASE_READ_URL must say sslmode=verify-full. offered: as they like.',
    choice(['offered', 'verified']),
  ),
  tenantConnections: setting(
    'DATABASE_TENANT_CONNECTIONS',
    '10',
    "Connections of each program for one merchant's statements, and as many for its batched ones.",
    wholeNumber(1, 500),
  ),
  systemConnections: setting(
    'DATABASE_SYSTEM_CONNECTIONS',
    '6',
    'Connections of each program for work across merchants.',
    wholeNumber(1, 500),
  ),
  databaseConnectMs: setting(
    'DATABASE_CONNECT_MS',
    '5000',
    'How long a new connection to the database, or a free one, is waited for.',
    wholeNumber(100, 60_000),
  ),
  databaseQueryMs: setting(
    'DATABASE_QUERY_MS',
    '9500',
    'How long a statement may take, waiting for a connection included; other limits count on 9500 at most. ' +
      'The server ends it a second earlier.',
    wholeNumber(2_000, 9_500),
  ),
  databaseKeepAliveMs: setting(
    'DATABASE_KEEP_ALIVE_MS',
    '5000',
    'After so long without traffic the system checks that the other end of a connection is there.',
    wholeNumber(1_000, 600_000),
  ),
  dataFolder: setting('FLORIN_DATA', '.florin', 'Folder of keys and of the own database.', text()),
  masterKeys: secret(
    'FLORIN_MASTER_KEY',
    'Key of secrets at rest: 32 bytes in base64. Several, newest first, are joined by commas. ' +
      'Default: the file master-key in the data folder.',
    masterKeys,
  ),
  logLevel: setting(
    'LOG_LEVEL',
    'info',
    'How much is logged: debug, info, warn, error or silent.',
    choice(['debug', 'info', 'warn', 'error', 'silent']),
  ),
  logFormat: optional(
    'LOG_FORMAT',
    'json: every line on the standard error. text: warnings and errors as sentences, all lines as JSON ' +
      'in florin.log of the data folder. Default: text in the all-in-one start at a terminal, else json.',
    choice({ json: 'json', text: 'text' }),
  ),
  limitsRate: optional(
    'RATE_LIMITS',
    'on or off: limits per production secret, and without one per address and route (WIRE-17). Behind ' +
      'a proxy set TRUSTED_PROXIES too. Default: on in the API that runs apart, off in the all-in-one start.',
    choice({ on: true, off: false }),
  ),
  trustedProxies: setting(
    'TRUSTED_PROXIES',
    '',
    'Your reverse proxies, as addresses or address/bits, joined by commas: no other address is believed ' +
      "in X-Forwarded-For to know a caller's address.",
    addresses,
  ),
  secureSubdomains: setting(
    'STRICT_TRANSPORT_SUBDOMAINS',
    'off',
    'on or off: whether Strict-Transport-Security holds for every host below that of PUBLIC_URL too.',
    choice({ on: true, off: false }),
  ),
  shutdownNoticeMs: optional(
    'SHUTDOWN_NOTICE_MS',
    'How long an API that is told to stop says that it is not ready, and answers all the same, before it ' +
      'takes no more connections. Default: 5000 in the API that runs apart, 0 in the all-in-one start.',
    wholeNumber(0, 600_000),
  ),
  metricsToken: secret(
    'METRICS_TOKEN',
    'Who asks for /metrics has to send it as a bearer token. Default: only this machine is answered.',
    token,
  ),
  metricsPort: optional(
    'METRICS_PORT',
    'Port on which a worker that runs apart answers /health and /metrics. Default: none.',
    wholeNumber(1, 65_535),
  ),
  operatorPort: optional(
    'OPERATOR_PORT',
    "Port on which an API answers the operator's API and /metrics, and nowhere else. Default: its own.",
    wholeNumber(1, 65_535),
  ),
  tracesUrl: optional(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'Collector of OpenTelemetry that takes traces by HTTP, as http://127.0.0.1:4318. Default: none is.',
    httpUrl,
  ),
  tracesHeaders: secret(
    'OTEL_EXPORTER_OTLP_HEADERS',
    'Headers for that collector, such as its token: name=value, joined by commas.',
    headerList,
  ),
  openSignUp: optional(
    'OPEN_SIGN_UP',
    'on or off: whether anybody may sign up at /dashboard, for a business in the sandbox (PEOPLE-2). ' +
      'Default: on in the all-in-one start, off in the API that runs apart.',
    choice({ on: true, off: false }),
  ),
  secondFactor: setting(
    'SECOND_FACTOR',
    'offered',
    'Who needs an authenticator app or a passkey in the dashboard: nobody (offered), operators and who ' +
      'works in production (production), or all (always).',
    choice(['offered', 'production', 'always']),
  ),
  sessionIdleMinutes: setting(
    'SESSION_IDLE_MINUTES',
    '60',
    'A session of the dashboard ends so long after its person last did something.',
    wholeNumber(5, limits.sessionMs / 60_000),
  ),
  leakedPasswordsUrl: optional(
    'LEAKED_PASSWORDS_URL',
    'Service that is asked for each new password by five digits of its SHA-1, such as ' +
      'https://api.pwnedpasswords.com/range. Default: none is.',
    httpUrl,
  ),
  operatorName: setting('OPERATOR_NAME', 'Florin', 'Trading name on the hosted pages.', text(100)),
  operatorStatus: optional(
    'OPERATOR_STATUS',
    'What pages say of you beside that name, such as by whom you are authorised, and its number.',
    text(200),
  ),
  termsUrl: optional('TERMS_URL', 'Your terms for payers; pages lead to them.', httpsUrl),
  privacyUrl: optional('PRIVACY_URL', 'Your privacy notice; pages lead to it.', httpsUrl),
  simulatorUrl: optional(
    'SIMULATOR_URL',
    'What customers and phones reach the simulated banks at. Default: their listening address.',
    httpUrl,
  ),
  simulatorDatabaseUrl: secret(
    'SIMULATOR_DATABASE_URL',
    'PostgreSQL of the simulated banks. Default: a database or a schema beside the own.',
    postgresUrl,
  ),
  simulatorTrustFolder: optional(
    'SIMULATOR_TRUST_FOLDER',
    'Folder in which a simulator that runs apart registers us. Default: simulator/trust in the data folder.',
    text(),
  ),
  sandboxCollectingAccount: setting(
    'SANDBOX_COLLECTING_ACCOUNT',
    '180002 00000190 Florin Sandbox',
    'Sandbox account that is paid while payouts are on: sort code, account number, name.',
    accountText,
  ),
  productionCollectingAccount: optional(
    'PRODUCTION_COLLECTING_ACCOUNT',
    'Your account that is paid while payouts are on: sort code, account number, name.',
    accountText,
  ),
  productionBankRail: optional(
    'PRODUCTION_BANK_RAIL',
    'Path of the JSON file that describes the banks and keys of production.',
    text(),
  ),
  productionTransferFolder: optional(
    'PRODUCTION_TRANSFER_FOLDER',
    'Folder through which refunds and payouts of production are exchanged with your bank, as ' +
      'ISO 20022 files in its folders outgoing and incoming.',
    text(),
  ),
  cardDetailsAbovePence: optional(
    'CARD_DETAILS_ABOVE',
    "Pounds: a card payment of more asks for the payer's address and telephone. Default: never.",
    poundsAmount,
  ),
  webhookAllowedNetworks: setting(
    'WEBHOOK_ALLOW_CIDRS',
    '',
    'Private networks that webhooks may reach, as address/bits, joined by commas.',
    networks,
  ),
  webhookHosts: setting(
    'WEBHOOK_HOSTS',
    '',
    'Hosts that webhooks may go to, joined by commas; *.example.com is each name below it. Default: any.',
    hosts,
  ),
  smtpUrl: secret(
    'SMTP_URL',
    'Mail server: smtp:// or smtps://. Either needs TLS: smtp:// by STARTTLS.',
    addressText(['smtp:', 'smtps:']),
  ),
  mailWithoutTls: setting(
    'MAIL_WITHOUT_TLS',
    'off',
    'Mail, and the links for passwords in it, may go to an smtp:// server in plain text.',
    choice({ on: true, off: false }),
  ),
  picturesFolder: optional(
    'PICTURES_FOLDER',
    "Folder of SVG files for the payer's page: banks/<institutionId>.svg and merchants/<merchantId>.svg.",
    text(),
  ),
  mailFrom: optional('MAIL_FROM', 'Sender of mail.', text(254)),
  personalDataDays: optional(
    'PERSONAL_DATA_DAYS',
    'Days after which personal data in payments is erased; amounts and ids stay. Default: never by age.',
    wholeNumber(1, 36_500),
  ),
  eventDays: setting(
    'EVENT_DAYS',
    `${limits.webhookEventRetentionDays}`,
    `Days that events and deliveries are kept after the end of their month; ${asTold}`,
    wholeNumber(limits.webhookEventRetentionDays, longestKeptDays),
  ),
  webhookAttemptDays: setting(
    'WEBHOOK_ATTEMPT_DAYS',
    `${limits.webhookAttemptRetentionDays}`,
    `Days that attempts at deliveries are kept after the end of their day; ${asTold}`,
    wholeNumber(limits.webhookAttemptRetentionDays, longestKeptDays),
  ),
  requestLogDays: setting(
    'REQUEST_LOG_DAYS',
    `${limits.requestLogRetentionDays}`,
    `Days that the log of requests is kept after the end of its day; ${asTold}`,
    wholeNumber(limits.requestLogRetentionDays, longestKeptDays),
  ),
  archiveFolder: optional(
    'ARCHIVE_FOLDER',
    'Folder in which workers write what is past these days before it is deleted. Default: nowhere.',
    text(),
  ),
  securityContact: optional(
    'SECURITY_CONTACT',
    'Who is told of a weakness, as mailto: or https: in /.well-known/security.txt. Default: no such file.',
    addressText(['mailto:', 'https:']),
  ),
  operatorMail: optional(
    'FLORIN_OPERATOR_MAIL',
    'Where operator cases are mailed to, each once. Default: they are logged, counted and listed.',
    text(254),
  ),
} as const;
