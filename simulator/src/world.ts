import { createPublicKey, randomUUID } from 'node:crypto';
import { createServer as createHttp, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Bank } from './bank/bank.ts';
import { banks as profiles } from './bank/banks.ts';
import { bankProvider } from './bank/oidc/bank-provider.ts';
import type { BankTools, Clock } from './bank/ports.ts';
import { type Addresses, addressesAt } from './bank/wire/addresses.ts';
import { interactionIdOf } from './bank/wire/request-headers.ts';
import { bankStore } from './books/bank-store.ts';
import { faultStore } from './books/fault-store.ts';
import { migrate } from './books/migrate.ts';
import { openPool, type Pool } from './books/pool.ts';
import { sweepExpired } from './books/sweep-expired.ts';
import { type ChannelParts, serveBank } from './channels/bank-channel.ts';
import { frontPages, securityHeaders } from './channels/front-pages.ts';
import { limits } from './limits.ts';
import type { Log } from './log.ts';
import type { Settings } from './settings.ts';
import { type Credentials, openCredentials, serverHostsOf } from './trust/credentials.ts';
import { writeRegistration } from './trust/registration.ts';

export interface World {
  readonly url: string;
  readonly backUrl: string;
  readonly trustFolder: string;
  stop(): Promise<void>;
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

export async function openWorld(settings: Settings, clock: Clock, log: Log): Promise<World> {
  const credentials = await openCredentials({
    folder: settings.trustFolder,
    bankIds: profiles.map((bank) => bank.id),
    serverHosts: serverHostsOf(settings.host, settings.backUrl),
    now: clock.now(),
  });
  const front = openDoor((handle) => createHttp(handle));
  const back = openDoor((handle) => createHttps(backChannelTls(credentials), handle));
  const frontPort = await listen(front.server, settings.host, settings.port);
  const backPort = await listen(back.server, settings.host, settings.mtlsPort);
  const host = /^(0\.0\.0\.0|::)$/.test(settings.host) ? '127.0.0.1' : settings.host;
  const addresses = addressesAt(
    settings.url ?? `http://${host}:${frontPort}`,
    settings.backUrl ?? `https://localhost:${backPort}`,
  );
  await writeRegistration(settings.trustFolder, credentials, profiles, addresses);

  const pool = openPool(settings.databaseUrl, log);
  await migrateWhenThere(pool, log);
  const tools: BankTools = { store: bankStore(pool), clock, random: { id: randomUUID } };
  const banks = await openBanks({ settings, credentials, addresses, pool, tools, log });
  const channel: ChannelParts = { banks, addresses, faults: faultStore(pool), log };
  const control = { token: credentials.identity.controlToken, pool, clock };
  const pages = await frontPages({ banks, control, log });
  front.handler = frontHandler(channel, (request, response) => pages.routing(request, response));
  back.handler = backHandler(channel);
  const sweeper = setInterval(() => {
    sweepExpired(pool, clock.now()).catch((error) =>
      log('sweep failed', { reason: error.message }),
    );
  }, limits.sweepIntervalMs).unref();

  return {
    url: addresses.frontUrl,
    backUrl: addresses.backUrl,
    trustFolder: settings.trustFolder,
    stop: async () => {
      clearInterval(sweeper);
      await Promise.all([close(front.server), close(back.server)]);
      await Promise.race([pool.end(), pause(limits.drainMs, undefined, { ref: false })]);
    },
  };
}

type HttpServer = ReturnType<typeof createHttp> | ReturnType<typeof createHttps>;

// A door opens before the bank behind it is ready, because addresses follow from its port.
function openDoor(create: (handle: Handler) => HttpServer) {
  const door = {
    handler: ((_request, response) => response.writeHead(503).end()) as Handler,
    server: create((request, response) => door.handler(request, response)),
  };
  return door;
}

function backChannelTls(credentials: Credentials) {
  return {
    cert: credentials.server.certificatePem,
    key: credentials.server.keyPem,
    ca: credentials.authorityPem,
    requestCert: true,
    // A call without a certificate gets an answer that says so; discovery needs none.
    rejectUnauthorized: false,
    minVersion: 'TLSv1.2',
  } as const;
}

function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

async function migrateWhenThere(pool: Pool, log: Log): Promise<void> {
  for (;;) {
    try {
      return await migrate(pool);
    } catch (error) {
      log('waiting for the database', { reason: (error as Error).message });
      await pause(limits.startRetryMs);
    }
  }
}

interface Opening {
  readonly settings: Settings;
  readonly credentials: Credentials;
  readonly addresses: Addresses;
  readonly pool: Pool;
  readonly tools: BankTools;
  readonly log: Log;
}

async function openBanks(opening: Opening): Promise<ReadonlyMap<string, Bank>> {
  const { credentials, settings } = opening;
  const { identity, clientSigningKey } = credentials;
  const clientKey = createPublicKey({ key: clientSigningKey.publicJwk as never, format: 'jwk' });
  const verifier = {
    keyOf: (kid: string) => (kid === clientSigningKey.kid ? clientKey : undefined),
    issuer: `${identity.organisationId}/${identity.softwareStatementId}`,
    trustAnchor: identity.trustAnchor,
  };
  const opened = profiles.map(async (bank): Promise<Bank> => {
    const key = credentials.bankSigningKeys.get(bank.id);
    if (!key) throw new Error(`${bank.id} has no signing key`);
    const provider = await bankProvider({ ...opening, bank, redirectUris: settings.redirectUris });
    const signer = {
      kid: key.kid,
      privateKey: key.privateKey,
      issuer: bank.organisationId,
      trustAnchor: identity.trustAnchor,
    };
    return { profile: bank, provider, tools: opening.tools, signer, verifier };
  });
  return new Map((await Promise.all(opened)).map((bank) => [bank.profile.id, bank]));
}

function frontHandler(channel: ChannelParts, pages: Handler): Handler {
  return (request, response) => {
    for (const [name, value] of Object.entries(securityHeaders)) response.setHeader(name, value);
    void serveBank(channel, 'front', request, response).then((served) => {
      if (!served) pages(request, response);
    });
  };
}

function backHandler(channel: ChannelParts): Handler {
  return (request, response) => {
    const interactionId = interactionIdOf(request.headers, randomUUID);
    response.setHeader('x-fapi-interaction-id', interactionId);
    void serveBank(channel, 'back', request, response).then((served) => {
      if (served) return;
      request.resume();
      response.writeHead(404, { 'content-length': 0 }).end();
    });
  };
}

function close(server: HttpServer): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
    setTimeout(() => server.closeAllConnections(), limits.drainMs).unref();
  });
}
