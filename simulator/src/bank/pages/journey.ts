import type { IncomingMessage, ServerResponse } from 'node:http';
import type { InteractionResults, Provider } from 'oidc-provider';
import { intentOf, refreshEndClaim } from '../oidc/consent-of-request.ts';
import { assurance } from '../oidc/provider-configuration.ts';

// One customer's visit to the bank: the interaction that oidc-provider keeps.
export type Journey = NonNullable<Awaited<ReturnType<typeof openJourney>>>;

type Raw = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
};

export const openJourney = async (provider: Provider, raw: Raw) => {
  const interaction = await whileItLasts(() =>
    provider.interactionDetails(raw.request, raw.response),
  );
  const consentId = interaction && intentOf(interaction.params.claims);
  if (!interaction || !consentId) return undefined;
  const { params } = interaction;
  return {
    id: interaction.uid,
    consentId,
    returnTo: interaction.returnTo,
    isDecided: interaction.result !== undefined,
    loginHint: typeof params.login_hint === 'string' ? params.login_hint : undefined,
    finish: async (result: InteractionResults): Promise<string> => {
      await whileItLasts(() =>
        provider.interactionResult(raw.request, raw.response, result, {
          mergeWithLastSubmission: false,
        }),
      );
      return interaction.returnTo;
    },
    grant: async (): Promise<InteractionResults> => {
      const clientId = String(params.client_id);
      const grant = new provider.Grant({ accountId: consentId, clientId });
      grant.addOIDCScope(String(params.scope));
      grant.addOIDCClaims(['sub', 'openbanking_intent_id', refreshEndClaim, 'acr']);
      return {
        login: { accountId: consentId, acr: acrFor(params.claims), remember: false },
        consent: { grantId: await grant.save() },
      };
    },
  };
};

// Without cookie, expired, or already used: all the same to the customer.
const whileItLasts = async <Value>(read: () => Promise<Value>): Promise<Value | undefined> => {
  try {
    return await read();
  } catch (error) {
    if (error instanceof Error && error.name === 'SessionNotFound') return undefined;
    throw error;
  }
};

const acrFor = (claims: unknown): string => {
  const parsed = JSON.parse(String(claims ?? '{}')) as {
    id_token?: { acr?: { value?: string; values?: readonly string[] } };
  };
  const wanted = parsed.id_token?.acr;
  const offered = [...(wanted?.values ?? []), wanted?.value];
  return assurance.find((acr) => offered.includes(acr)) ?? assurance[0];
};
