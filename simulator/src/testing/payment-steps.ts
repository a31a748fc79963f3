import { randomUUID } from 'node:crypto';
import * as oidc from 'openid-client';
import type { HonestClient, PostOptions, Visit } from './honest-client.ts';
import { type CustomerChoices, visitBank } from './visit-bank.ts';

export const consentBody = (amount = '12.34', changes: { reference?: string } = {}) => ({
  Data: {
    ReadRefundAccount: 'Yes',
    Initiation: {
      InstructionIdentification: randomUUID().slice(0, 30),
      EndToEndIdentification: randomUUID().slice(0, 30),
      LocalInstrument: 'UK.OBIE.FPS',
      InstructedAmount: { Amount: amount, Currency: 'GBP' },
      CreditorAccount: {
        SchemeName: 'UK.OBIE.SortCodeAccountNumber',
        Identification: '18000200000190',
        Name: 'Corner Coffee Ltd',
      },
      RemittanceInformation: {
        Structured: [
          { CreditorReferenceInformation: { Reference: changes.reference ?? 'ORDER 1001' } },
        ],
      },
    },
  },
  Risk: {
    PaymentContextCode: 'EcommerceMerchantInitiatedPayment',
    ContractPresentIndicator: true,
  },
});

type ConsentBody = ReturnType<typeof consentBody>;

export const paymentBody = (consentId: string, consent: ConsentBody) => ({
  Data: { ConsentId: consentId, Initiation: consent.Data.Initiation },
  Risk: consent.Risk,
});

export type Authorised = {
  readonly consent: ConsentBody;
  readonly consentId: string;
  readonly token: string;
  readonly clientToken: string;
};

export const createConsent = async (client: HonestClient, consent = consentBody()) => {
  const clientToken = await client.clientToken();
  const reply = await client.post('/domestic-payment-consents', consent, { token: clientToken });
  if (reply.status !== 201) throw new Error(JSON.stringify(reply.body));
  return { consent, clientToken, consentId: reply.body.Data.ConsentId as string };
};

export const exchange = async (client: HonestClient, visit: Visit, returned: string) =>
  oidc.authorizationCodeGrant(
    client.configuration,
    new URL(returned),
    {
      pkceCodeVerifier: visit.verifier,
      expectedState: visit.state,
      ...(!client.bank.idTokenLacks.includes('nonce') && { expectedNonce: visit.nonce }),
    },
    client.bank.quirks.includes('scopeInTokenRequest') ? { scope: 'openid' } : {},
  );

export const authorise = async (
  client: HonestClient,
  choices: CustomerChoices = {},
  consent = consentBody(),
): Promise<Authorised> => {
  const created = await createConsent(client, consent);
  const visit = await client.authorisationUrl(created.consentId);
  const returned = await visitBank(visit.url, choices);
  const tokens = await exchange(client, visit, returned.url);
  return { ...created, token: tokens.access_token };
};

export const submit = (
  client: HonestClient,
  { token, consentId, consent }: Authorised,
  options: Partial<PostOptions> = {},
) => {
  const body = paymentBody(consentId, consent);
  return client.post('/domestic-payments', body, { token, ...options });
};

export const statusOf = async (
  client: HonestClient,
  { clientToken }: Authorised,
  paymentId: string,
): Promise<string> => {
  const reply = await client.get(`/domestic-payments/${paymentId}`, { token: clientToken });
  return reply.body.Data.Status;
};
