import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { request } from 'undici';
import type { WorldOutlook, WorldRail, WorldReference } from '../world-rail.ts';

const callTimeoutMs = 5_000;
const mostReferences = 500;

/** The control calls of the simulator that registered itself in this folder. */
export const simulatedWorld = (trustFolder: string): WorldRail => ({
  advance: async (references, milliseconds) => {
    if (references.length === 0) return;
    const control = await readControl(trustFolder);
    if (!control) return;
    for (const some of portions(references))
      await call(control, '/clock/advance', { ...idsOf(some), milliseconds });
  },
  outlook: async (references) => {
    const consents = references.filter(({ kind }) => kind === 'BANK_CONSENT');
    const control = consents.length > 0 ? await readControl(trustFolder) : null;
    const told: WorldOutlook[] = [];
    if (!control) return told;
    for (const some of portions(consents)) {
      const { payments } = (await call(control, '/clock/outlook', idsOf(some))) as Outlook;
      told.push(...payments.map(({ consentId: id, ...outlook }) => ({ id, ...outlook })));
    }
    return told;
  },
});

type Outlook = {
  readonly payments: readonly (Omit<WorldOutlook, 'id'> & { readonly consentId: string })[];
};

const portions = (references: readonly WorldReference[]): readonly WorldReference[][] =>
  Array.from({ length: Math.ceil(references.length / mostReferences) }, (_, at) =>
    references.slice(at * mostReferences, (at + 1) * mostReferences),
  );

type Control = { readonly controlUrl: string; readonly controlToken: string };

// Read at each call: the simulator may have come, or come back elsewhere, after this program.
const readControl = async (trustFolder: string): Promise<Control | null> => {
  try {
    return JSON.parse(await readFile(join(trustFolder, 'registration.json'), 'utf8')) as Control;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
};

const idsOf = (references: readonly WorldReference[]) => {
  const of = (wanted: WorldReference['kind']) =>
    references.filter(({ kind }) => kind === wanted).map(({ id }) => id);
  const [consentIds, paymentIntentIds] = [of('BANK_CONSENT'), of('CARD_PAYMENT')];
  return {
    ...(consentIds.length > 0 && { consentIds }),
    ...(paymentIntentIds.length > 0 && { paymentIntentIds }),
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
  throw new Error(`the simulator answered ${answer.statusCode} to a moved clock`);
};
