import { failures, limits } from '@florin/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Agent, request as ask } from 'undici';
import { Failure } from '#kernel/failure.ts';
import { isUuid } from '#kernel/is-uuid.ts';
import type { BankRails } from '#modules/payments/index.ts';
import { markedWithinMs, signForCell } from '#platform/http/cell-marks.ts';
import { badField } from '#platform/http/error-reply.ts';
import { equalsSecretly } from '#platform/secrets/open-secrets.ts';
import type { Uses } from '#platform/tools.ts';
import type { Side } from './sides.ts';
import { listCells, listSides, readNumber } from './store/cells.ts';

const path = '/api/cells/sides';
const header = 'florin-cell';
const withinMs = 10_000;
// Some hundred times a page: what answers may be anybody.
const cells = new Agent({ maxResponseSize: 32_000_000 });

export type Said = {
  readonly cellId: string;
  readonly atMs: number;
  /** Of its transaction: what is written in this cell next must be above it. */
  readonly writtenIn: string;
  readonly sides: readonly Side[];
  /** By which its programs read. */
  readonly masterKeys: readonly string[];
  /** Of each bank in production: as which client its programs call. */
  readonly clientIds: Readonly<Record<string, string>>;
};

/** What this cell says to another one, which proves by the key that cells share that it is one. */
export const cellRoutes = (
  app: FastifyInstance,
  tools: Uses<'database' | 'secrets' | 'clock'> & { readonly bankRails: Pick<BankRails, 'find'> },
): void => {
  app.get(path, async (request, reply) => {
    const nonce = requireCell(tools, request);
    const { merchantId = null, after = null } = request.query as Record<string, string>;
    for (const [name, value] of Object.entries({ merchantId, after }))
      if (value !== null && !isUuid(value)) throw badField(name, 'is not an id');
    const sides = await readSides(tools, { merchantId, after });
    const [{ written_in: writtenIn } = { written_in: '0' }] = await tools.database.system(
      readNumber,
      {},
    );
    const atMs = tools.clock.now().getTime();
    const { keyIds: masterKeys } = tools.secrets;
    const clientIds = tools.bankRails.find('PRODUCTION')?.clientIds?.() ?? {};
    const said = { ...sides, writtenIn, atMs, masterKeys, clientIds } satisfies Said;
    const body = JSON.stringify(said);
    return reply
      .header(header, signForCell(tools.secrets, 'answer', nonce, body))
      .type('application/json')
      .send(body);
  });
};

const requireCell = (
  { secrets, clock }: Uses<'secrets' | 'clock'>,
  { headers, url }: FastifyRequest,
): string => {
  const [ms = '', nonce = '', mark = ''] = String(headers[header] ?? '').split(' ');
  if (!equalsSecretly(mark, signForCell(secrets, 'question', ms, nonce, url)))
    throw new Failure(failures.invalidCredential, { message: 'Only another cell asks this.' });
  if (Math.abs(clock.now().getTime() - Number(ms)) > markedWithinMs)
    throw new Failure(failures.invalidCredential, { message: 'The clocks of the cells differ.' });
  return nonce;
};

type Wanted = { readonly merchantId?: string | null; readonly after?: string | null };

export const readSides = async (
  { database }: Uses<'database'>,
  { merchantId = null, after = null }: Wanted,
): Promise<Pick<Said, 'cellId' | 'sides'>> => {
  const cells = await database.system(listCells, {});
  const cellId = cells.find(({ address }) => address === null)?.cell_id ?? '';
  const values = { merchantId, after, limit: limits.cellSidesPage };
  const rows = await database.system(listSides, values);
  return {
    cellId,
    sides: rows.map((row) => ({
      ...{ cellId, merchantId: row.merchant_id, version: row.version, status: row.status },
      ...{ otherCellId: row.other_cell_id, isKnown: row.is_known },
    })),
  };
};

/** Throws a sentence unless a cell with the same key answers at this address. */
export const askCell = async (
  { secrets, clock, ids }: Uses<'secrets' | 'clock' | 'ids'>,
  address: string,
  wanted: Wanted = {},
): Promise<Said & { readonly skewMs: number }> => {
  const given = Object.entries(wanted).filter(([, value]) => typeof value === 'string');
  const query = new URLSearchParams(given as [string, string][]).toString();
  const url = query === '' ? path : `${path}?${query}`;
  const [askedMs, nonce] = [clock.now().getTime(), ids.uuid()];
  const mark = signForCell(secrets, 'question', String(askedMs), nonce, url);
  const answer = await ask(`${address}${url}`, {
    headers: { [header]: [askedMs, nonce, mark].join(' ') },
    dispatcher: cells,
    headersTimeout: withinMs,
    bodyTimeout: withinMs,
  }).catch((error: Error) => {
    throw new Error(`No cell answers at ${address} (${error.message}).`);
  });
  const body = await answer.body.text();
  const proof = String(answer.headers[header] ?? '');
  if (!equalsSecretly(proof, signForCell(secrets, 'answer', nonce, body)))
    throw new Error(
      `What answers at ${address} is no cell with the keys of this one (${answer.statusCode}).`,
    );
  const said = JSON.parse(body) as Said;
  return { ...said, skewMs: said.atMs - (askedMs + clock.now().getTime()) / 2 };
};
