import { createHmac } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Clock } from '../clock.ts';
import { equalsSecretly, type Secrets } from '../secrets/open-secrets.ts';

/** What one cell says to another, by a key that cells alone share. */
export const signForCell = (
  { keyFor }: Pick<Secrets, 'keyFor'>,
  ...said: readonly string[]
): string => createHmac('sha256', keyFor('cells')).update(JSON.stringify(said)).digest('hex');

/** Clocks of cells that differ by more are known by nothing else than that nothing of them is believed. */
export const markedWithinMs = 60_000;

const header = 'florin-forwarded';
const name = 'cellMarks';

type CellMarks = ReturnType<typeof openCellMarks>;

const openCellMarks = (secrets: Pick<Secrets, 'keyFor'>, clock: Pick<Clock, 'now'>) => {
  const signed = (ms: string, address: string, { method, url }: FastifyRequest): string =>
    signForCell(secrets, 'led on', ms, address, method, url);
  return {
    /** Of a request that this cell leads on: also says whose it is. */
    of: (request: FastifyRequest): Readonly<Record<string, string>> => {
      const ms = String(clock.now().getTime());
      return { [header]: [ms, request.ip, signed(ms, request.ip, request)].join(' ') };
    },
    /** The address of the caller, as the cell that led the request on knows it; null: nobody says. */
    read: (request: FastifyRequest): string | null => {
      const given = request.headers[header];
      const [ms = '', address = '', mark = ''] = String(given ?? '').split(' ');
      const isNow = Math.abs(clock.now().getTime() - Number(ms)) <= markedWithinMs;
      return isNow && equalsSecretly(mark, signed(ms, address, request)) ? address : null;
    },
  };
};

/** Lets requests be led to other cells, and believes what other cells say of those that they lead here. */
export const useCellMarks = (
  app: FastifyInstance,
  { secrets, clock }: { readonly secrets: Secrets; readonly clock: Clock },
): void => {
  const marks = openCellMarks(secrets, clock);
  app.decorate(name, marks);
  app.addHook('onRequest', (request, _, done) => {
    const address = isLedHere(request) ? marks.read(request) : null;
    if (address !== null) Object.defineProperty(request, 'ip', { value: address });
    done();
  });
};

export const marksOf = ({ server }: FastifyRequest): CellMarks | null =>
  server.hasDecorator(name) ? server.getDecorator<CellMarks>(name) : null;

/** Whoever says so, it is led on no more: so no request goes round. */
export const isLedHere = ({ headers }: FastifyRequest): boolean => headers[header] !== undefined;
