import type { IncomingMessage, ServerResponse } from 'node:http';
import type { InteractionResults, Provider } from 'oidc-provider';
import type { Bank } from '../bank.ts';
import { intentOf, refreshEndClaim } from '../oidc/consent-of-request.ts';
import { assurance } from '../oidc/provider-configuration.ts';
import type { VisitAnswer } from './bank-page.ts';

// One customer's visit to the bank: the interaction that oidc-provider keeps, and its consent.
export type Journey<Consent> = Visit & { readonly consent: Consent };

export type Visit = {
  readonly id: string;
  readonly consentId: string;
  readonly returnTo: string;
  readonly isDecided: boolean;
  readonly loginHint: string | undefined;
  finish(result: InteractionResults): Promise<string>;
  grant(): Promise<InteractionResults>;
};

export type Raw = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
};

export const openJourney = async (provider: Provider, raw: Raw): Promise<Visit | undefined> => {
  const interaction = await interactionOf(provider, raw);
  const consentId = interaction && intentOf(interaction.params.claims);
  if (!interaction || !consentId) return undefined;
  const { params } = interaction;
  return {
    id: interaction.uid,
    consentId,
    returnTo: interaction.returnTo,
    isDecided: interaction.result !== undefined,
    loginHint: typeof params.login_hint === 'string' ? params.login_hint : undefined,
    finish: async (result) => {
      await whileItLasts(() =>
        provider.interactionResult(raw.request, raw.response, result, {
          mergeWithLastSubmission: false,
        }),
      );
      return interaction.returnTo;
    },
    grant: async () => {
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

export const withConsent = <Consent>(visit: Visit, consent: Consent): Journey<Consent> => ({
  ...visit,
  consent,
});

const interactionOf = (provider: Provider, raw: Raw) =>
  whileItLasts(() => provider.interactionDetails(raw.request, raw.response));

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

export type Fields = Readonly<Record<string, unknown>>;

type Step<Subject> = (
  bank: Bank,
  journey: Journey<Subject>,
  fields: Fields,
) => Promise<VisitAnswer>;

// The pages of a visit; payments and account information have their own.
export type VisitSteps<Subject> = {
  readonly showLogin: Step<Subject>;
  readonly takeLogin: Step<Subject>;
  readonly showApproval: Step<Subject>;
  readonly takeDecision: Step<Subject>;
};

export const loginAddress = (bank: Bank, journey: Pick<Journey<unknown>, 'id'>): string =>
  `/banks/${bank.profile.id}/login/${journey.id}`;
