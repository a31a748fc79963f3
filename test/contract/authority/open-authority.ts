import type { Operation } from '../../../contract/operation.ts';
import { dashboardOperations, operations } from '../../../contract/operations.ts';
import { requestExample } from '../../../contract/published/examples.ts';
import { sampleUuid, sampleValue } from '../../../contract/published/sample-value.ts';
import type { Environment } from '../../../service/src/kernel/environment.ts';
import {
  dashboardAddress,
  isOfDashboard,
} from '../../../service/src/platform/http/dashboard-address.ts';
import { type SignedIn, signIn } from '../../harness/dashboard/sign-in.ts';
import { makeRows } from '../fuzz/make-rows.ts';
import { openFuzzed } from '../fuzz/open-fuzzed.ts';
import { everyOperation } from './every-operation.ts';
import { type Actor, isFor, isRole } from './may-call.ts';
import { type Change, watchChanges } from './watch-changes.ts';

export type Called = {
  readonly operation: Operation;
  readonly status: number;
  readonly reply: string;
  readonly changes: readonly Change[];
};

type World = {
  readonly merchantId: string;
  readonly environment: Environment;
  readonly ids: Readonly<Record<string, string>>;
  readonly person: SignedIn;
  readonly secret: string;
};

const account = { sortCode: '107999', accountNumber: '88837491', name: 'Eve' };
const email = 'eve@example.com';

/** What an operation needs beyond its example, so that it has an effect. */
const bodyOf = (operation: Operation, { ids, person }: World): object => {
  const { paymentRequestId = '', accountAuthId = '', storeId = '' } = ids;
  const { password } = person;
  const own: Readonly<Record<string, object>> = {
    setStoreAccount: account,
    changeStore: { locationName: 'Eve' },
    changeSecret: { name: 'Eve' },
    setEndpointStatus: { status: 'PAUSED' },
    setPaymentCodeStatus: { status: 'DISABLED' },
    mailPaymentLink: { email },
    declineRefund: { reason: 'No' },
    saveDisputeEvidence: { version: 0, evidence: { other: 'It was delivered.' } },
    submitDisputeAnswer: { version: 1 },
    addDisputeFile: { kind: 'receipt', fileName: 'a.pdf', content: 'JVBERi0=' },
    changeRole: { role: 'manager' },
    replayWebhooks: { onlyFailed: true },
    saveView: { page: 'payments', name: 'Other', query: '?a=1' },
    inviteMember: { email, role: 'cashier' },
    updateCustomer: { city: 'York' },
    initiateBankAuthorisation: { redirectUrl: 'https://shop.example/linked' },
    revokeBankAuthorisation: { accountAuthId },
    createWebhook: { url: 'https://hooks.example.com/own', event: 'REFUND_STATUS' },
    createWebhookEndpoint: { url: 'https://hooks.example.com/two', events: ['REFUND_STATUS'] },
    startTillSale: { amount: 3.2, tillName: 'Till 2', storeId },
    changePassword: { currentPassword: password, newPassword: 'new words of mine' },
    signIn: { email: person.email, password },
    // Long enough for a run: what waits longer is delivered to nobody.
    advanceSandboxClock: { advanceMs: 1_000 },
    stepUp: { password: 'new words of mine' },
    startAuthenticator: { password },
    removeAuthenticator: { password },
    replaceRecoveryCodes: { password },
    startPasskey: { password },
    signUp: { name: 'Eve', businessName: 'Eve Ltd', email: `new-${person.email}`, password },
    requestNewPassword: { email: person.email },
    deletePerson: { email: person.email },
    proposeRefund: { paymentRequestId, amount: 1, reason: 'Cold' },
    securePaymentAuth: { paymentRequestId },
    requestRefund: { paymentRequestId, amount: 1 },
    createCustomer: { fullName: 'Ada', email },
    changeTips: { enabled: true, tipType: 'PERCENTAGE', options: [5, 10, 15], allowCustom: true },
    changeSettings: { businessName: 'Eve', accentColour: '#1d4ed8', supportEmail: email },
    changeLimits: { paymentLimit: 200 },
    changeMerchant: { businessName: 'Eve', paymentLimit: 300 },
    changeNotifications: { kinds: [], failingHours: 24 },
  };
  return own[operation.id] ?? (requestExample(operation) as object | undefined) ?? {};
};

const membersOf = ({ body }: Operation): object =>
  (body as { readonly properties?: object } | undefined)?.properties ?? {};

/** Members of other operations, with values that those would take: they shall have no effect. */
const foreignOf = (operation: Operation): object =>
  Object.fromEntries(everyMember.filter(([name]) => !Object.hasOwn(membersOf(operation), name)));

const everyMember = [...operations, ...dashboardOperations]
  .flatMap(({ body }) =>
    body ? Object.entries(sampleValue(body, { onlyRequired: false }) as object) : [],
  )
  .concat([['paymentLimit', 900_000]]);

const mergeCookies = (before = '', after = ''): string =>
  Object.entries({ ...cookiesOf(before), ...cookiesOf(after) })
    .map(([name, value]) => `${name}=${value}`)
    .join('; ');

const cookiesOf = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...text.matchAll(/([^=;\s]+)=([^;]+)/g)].map(([, name, value]) => [name, value]),
  );

export type Authority = Awaited<ReturnType<typeof openAuthority>>;

export const openAuthority = async () => {
  const fuzzed = await openFuzzed(1);
  const changes = await watchChanges(await fuzzed.connect());
  const send = async (
    method: string,
    url: string,
    headers: Readonly<Record<string, string>>,
    body: unknown,
  ) => {
    const reply = await fetch(`${fuzzed.address}${url}`, {
      method,
      headers: {
        ...headers,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const cookies = reply.headers.getSetCookie().map((each) => each.split(';')[0]);
    return { status: reply.status, text: await reply.text(), cookie: cookies.join('; ') };
  };
  /** Of a real sign-in: what a person does with their account needs one. */
  const startSession = async ({ email, password, headers }: SignedIn) => {
    const { cookie: _, ...page } = headers;
    const reply = await send('POST', '/dashboard/api/sign-in', page, { email, password });
    return { ...page, cookie: reply.cookie };
  };
  const openWorld = async (actor: Actor, environment: Environment): Promise<World> => {
    const { merchant } = await fuzzed.openLane();
    const { merchantId } = merchant;
    const origin = fuzzed.address;
    const owner = await signIn(fuzzed.tools, { merchantId, origin });
    const prefix = `/dashboard/api/merchants/${merchantId}/${environment.toLowerCase()}`;
    const callAsOwner = async (method: string, path: string, body: object) => {
      const { status, text } = await send(method, `${prefix}${path}`, owner.headers, body);
      return { status, body: JSON.parse(text) };
    };
    const ids = await makeRows(fuzzed, { merchantId, environment }, callAsOwner);
    const reader = { name: 'Reader', scope: 'READ' };
    const { secret } =
      actor === 'readOnlySecret'
        ? (await callAsOwner('POST', '/secrets', reader)).body
        : merchant.secrets[environment];
    const role = isRole(actor) ? actor : 'owner';
    const added = await signIn(fuzzed.tools, { merchantId, role, origin });
    const person = { ...added, headers: await startSession(added) };
    return { merchantId, environment, ids, person, secret };
  };
  const headersOf = (actor: Actor, world: World): Readonly<Record<string, string>> => {
    if (isRole(actor)) return world.person.headers;
    if (actor === 'operator') return { authorization: `Bearer ${fuzzed.operatorSecret}` };
    if (actor === 'anybody') return { origin: fuzzed.address, 'florin-dashboard': '1' };
    return { authorization: `Bearer ${world.secret}` };
  };
  const addressOf = (actor: Actor, operation: Operation, world: World): string => {
    const ofPerson = isRole(actor) || isOfDashboard(operation.access);
    const address = ofPerson ? (dashboardAddress(operation) ?? operation.path) : operation.path;
    const { merchantId, environment, ids } = world;
    const named: Readonly<Record<string, string>> = {
      ...ids,
      ...(/TillSale$/.test(operation.id) ? { paymentRequestId: ids.saleId ?? '' } : {}),
      // A bank that does not answer is waited for.
      ...(/BankTransactions$|BankBalance$/.test(operation.id) ? { accountId: sampleUuid } : {}),
      ...{ merchantId, inMerchant: merchantId },
      ...{ environment: environment.toLowerCase(), inEnvironment: environment.toLowerCase() },
    };
    const query = '?from=2026-01-01&before=2026-02-01&page=0&itemsPerPage=10';
    const path = address.replace(/:(\w+)/g, (_, name: string) => named[name] ?? sampleUuid);
    return operation.id === 'listBankTransactions' ? path + query : path;
  };
  return {
    /** Calls every operation as the actor, each with a body that it accepts. */
    callEach: async (actor: Actor, environment: Environment): Promise<readonly Called[]> => {
      const world = await openWorld(actor, environment);
      await changes();
      const called: Called[] = [];
      let headers = headersOf(actor, world);
      for (const operation of everyOperation.filter((each) => isFor(actor, each))) {
        const { method } = operation;
        const body =
          method === 'GET' ? undefined : { ...foreignOf(operation), ...bodyOf(operation, world) };
        const url = addressOf(actor, operation, world);
        const { status, text, cookie } = await send(method, url, headers, body);
        if (isRole(actor)) headers = { ...headers, cookie: mergeCookies(headers.cookie, cookie) };
        called.push({ operation, status, reply: text.slice(0, 200), changes: await changes() });
      }
      return called;
    },
    /** Calls every operation with other inputs instead of its own; answers what failed here. */
    tryEach: async (actor: Actor, inputsOf: InputsOf): Promise<readonly string[]> => {
      const world = await openWorld(actor, 'SANDBOX');
      const wrong: string[] = [];
      const inputs = everyOperation
        .filter((each) => isFor(actor, each))
        .flatMap((operation) =>
          inputsOf(operation, bodyOf(operation, world)).map((input) => ({ operation, ...input })),
        );
      for (const { operation, place, body, query } of inputs) {
        const url = addressOf(actor, operation, world).split('?')[0] + query;
        const { id, method } = operation;
        const sent = method === 'GET' ? undefined : body;
        const { status, text } = await send(method, url, headersOf(actor, world), sent);
        // No card processor is configured here, and the answer shows it.
        if (status >= 500 && !text.includes('RAIL_NOT_CONFIGURED'))
          wrong.push(`${id} ${place}: ${status} ${text.slice(0, 200)}`);
      }
      return wrong;
    },
    askAsOperator: (path: string) =>
      send('GET', path, { authorization: `Bearer ${fuzzed.operatorSecret}` }, undefined),
    connect: fuzzed.connect,
    close: fuzzed.close,
  };
};

export type InputsOf = (
  operation: Operation,
  body: object,
) => readonly { readonly place: string; readonly body: unknown; readonly query: string }[];
