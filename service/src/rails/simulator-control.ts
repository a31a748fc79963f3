import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { request } from 'undici';
import type { PaymentForecast, SimulatorRail, SimulatorReference } from './simulator-rail.ts';

const callTimeoutMs = 5_000;
const maxReferences = 500;
/** A message about transfers has no more of an id. */
const idOnWireLength = 35;

/** The control calls of the simulator that registered itself in this folder. */
export const simulatorControl = (trustFolder: string): SimulatorRail => ({
  advance: async (references, milliseconds) => {
    if (references.length === 0) return;
    const control = await readControl(trustFolder);
    if (!control) return;
    for (const batch of batchesOf(references))
      await call(control, '/clock/advance', { ...idsOf(batch), milliseconds });
  },
  forecast: async (references) => {
    const consents = references.filter(({ kind }) => kind === 'BANK_CONSENT');
    const control = consents.length > 0 ? await readControl(trustFolder) : null;
    if (!control) return [];
    const found: PaymentForecast[] = [];
    for (const batch of batchesOf(consents)) {
      const { payments } = (await call(control, '/clock/forecast', idsOf(batch))) as Forecasts;
      found.push(...payments.map(({ consentId: id, ...forecast }) => ({ id, ...forecast })));
    }
    return found;
  },
});

type Forecasts = {
  readonly payments: readonly (Omit<PaymentForecast, 'id'> & { readonly consentId: string })[];
};

const batchesOf = (references: readonly SimulatorReference[]): readonly SimulatorReference[][] =>
  Array.from({ length: Math.ceil(references.length / maxReferences) }, (_, at) =>
    references.slice(at * maxReferences, (at + 1) * maxReferences),
  );

type Control = { readonly controlUrl: string; readonly controlToken: string };

// Read at each call: the simulator may start after this program, or restart at another address.
const readControl = async (trustFolder: string): Promise<Control | null> => {
  try {
    return JSON.parse(await readFile(join(trustFolder, 'registration.json'), 'utf8')) as Control;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
};

const idsOf = (references: readonly SimulatorReference[]) => {
  const of = (wanted: SimulatorReference['kind']) =>
    references.filter(({ kind }) => kind === wanted).map(({ id }) => id);
  const [consentIds, paymentIntentIds] = [of('BANK_CONSENT'), of('CARD_PAYMENT')];
  const endToEndIds = of('TRANSFER');
  const ultimateDebtorIds = of('ORDERING_PARTY').map((id) => id.slice(0, idOnWireLength));
  return {
    ...(consentIds.length > 0 && { consentIds }),
    ...(paymentIntentIds.length > 0 && { paymentIntentIds }),
    ...(endToEndIds.length > 0 && { endToEndIds }),
    ...(ultimateDebtorIds.length > 0 && { ultimateDebtorIds }),
  };
};

const call = async (
  { controlUrl, controlToken }: Control,
  path: string,
  body: object,
): Promise<unknown> => {
  const answer = await request(`${controlUrl}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${controlToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(callTimeoutMs),
  });
  const text = await answer.body.text();
  if (answer.statusCode === 200) return JSON.parse(text);
  throw new Error(`the simulator answered ${answer.statusCode} to a clock call`);
};
