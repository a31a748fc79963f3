import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { request } from 'undici';
import type { WorldRail, WorldReference } from '../world-rail.ts';

const callTimeoutMs = 5_000;
const mostReferences = 500;

/** The control calls of the simulator that registered itself in this folder. */
export const simulatedWorld = (trustFolder: string): WorldRail => ({
  advance: async (references, milliseconds) => {
    if (references.length === 0) return;
    const control = await readControl(trustFolder);
    if (!control) return;
    for (let from = 0; from < references.length; from += mostReferences) {
      const some = references.slice(from, from + mostReferences);
      await call(control, { ...idsOf(some), milliseconds });
    }
  },
});

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

const call = async ({ controlUrl, controlToken }: Control, body: object): Promise<void> => {
  const answer = await request(`${controlUrl}/clock/advance`, {
    method: 'POST',
    headers: { authorization: `Bearer ${controlToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(callTimeoutMs),
  });
  await answer.body.dump();
  if (answer.statusCode !== 200)
    throw new Error(`the simulator answered ${answer.statusCode} to a moved clock`);
};
