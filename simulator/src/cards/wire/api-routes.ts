import { type Operation, readRecord } from '../operations/call.ts';
import * as changedIntents from '../operations/change-intents.ts';
import * as changedRefunds from '../operations/change-refunds.ts';
import * as customers from '../operations/customers.ts';
import * as disputes from '../operations/disputes.ts';
import * as endpoints from '../operations/endpoints.ts';
import * as files from '../operations/files.ts';
import * as intents from '../operations/intents.ts';
import * as lists from '../operations/lists.ts';
import * as methods from '../operations/methods.ts';
import * as parts from '../operations/parts.ts';
import * as search from '../operations/search.ts';
import * as sessions from '../operations/sessions.ts';
import * as setups from '../operations/setups.ts';
import type { CardFaultOperation } from './inject-card-fault.ts';

export type ApiRoute = {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly operation: Operation;
  readonly fault: CardFaultOperation | undefined;
};

const get = (path: string, operation: Operation): ApiRoute => ({
  ...{ method: 'GET', path, operation, fault: 'cards:read' },
});
const post = (path: string, operation: Operation, fault?: CardFaultOperation): ApiRoute => ({
  ...{ method: 'POST', path, operation, fault },
});
const remove = (path: string, operation: Operation): ApiRoute => ({
  ...{ method: 'DELETE', path, operation, fault: undefined },
});

const readAccount: Operation = async () => ({
  body: {
    ...{ id: 'acct_1SimulatedMerchant', object: 'account', country: 'GB', type: 'standard' },
    settings: { payments: { statement_descriptor: 'SIMULATION' } },
  },
});

export const apiRoutes: readonly ApiRoute[] = [
  get('/account', readAccount),
  get('/payment_method_configurations', lists.listConfigurations),
  post('/customers', customers.createCustomer),
  get('/customers', lists.listCustomers),
  get('/customers/search', search.searchCustomers),
  get('/customers/:id', readRecord('customer')),
  post('/customers/:id', customers.updateCustomer),
  remove('/customers/:id', customers.deleteCustomer),
  get('/customers/:id/payment_methods', lists.listMethodsOfCustomer),
  post('/payment_methods', methods.createMethod),
  get('/payment_methods', lists.listMethods),
  get('/payment_methods/:id', readRecord('method')),
  post('/payment_methods/:id', methods.updateMethod),
  post('/payment_methods/:id/attach', methods.attachMethod),
  post('/payment_methods/:id/detach', methods.detachMethod),
  post('/checkout/sessions', sessions.createSession, 'cards:session'),
  get('/checkout/sessions/:id', readRecord('session')),
  post('/checkout/sessions/:id/expire', sessions.expireSessionNow, 'cards:session'),
  post('/payment_intents', intents.createIntent, 'cards:intent'),
  get('/payment_intents', lists.listIntents),
  get('/payment_intents/search', search.searchIntents),
  get('/payment_intents/:id', readRecord('intent')),
  post('/payment_intents/:id', changedIntents.updateIntent),
  post('/payment_intents/:id/confirm', changedIntents.confirmIntent, 'cards:intent'),
  post('/payment_intents/:id/capture', intents.captureIntent, 'cards:capture'),
  post('/payment_intents/:id/cancel', intents.cancelIntent, 'cards:cancel'),
  post('/setup_intents', setups.createSetup),
  get('/setup_intents', setups.listSetups),
  get('/setup_intents/:id', readRecord('setup')),
  post('/setup_intents/:id', setups.updateSetup),
  post('/setup_intents/:id/confirm', setups.confirmSetup),
  post('/setup_intents/:id/cancel', setups.cancelSetupNow),
  get('/charges', parts.listCharges),
  get('/charges/search', search.searchCharges),
  get('/charges/:id', parts.readPart),
  post('/charges/:id/capture', changedIntents.captureCharge, 'cards:capture'),
  post('/refunds', intents.createRefund, 'cards:refund'),
  get('/refunds', parts.listRefunds),
  get('/refunds/:id', parts.readPart),
  post('/refunds/:id', changedRefunds.updateRefund),
  post('/refunds/:id/cancel', changedRefunds.cancelRefund),
  get('/disputes', parts.listDisputes),
  get('/disputes/:id', parts.readPart),
  post('/disputes/:id', disputes.updateDispute, 'cards:dispute'),
  post('/disputes/:id/close', disputes.closeDisputeNow, 'cards:dispute'),
  post('/files', files.createFile, 'cards:file'),
  get('/files/:id', readRecord('file')),
  get('/balance', parts.readBalance),
  get('/balance_transactions', parts.listBalanceEntries),
  get('/balance_transactions/:id', parts.readPart),
  get('/events', lists.listEvents),
  get('/events/:id', lists.readEvent),
  post('/webhook_endpoints', endpoints.createEndpoint),
  get('/webhook_endpoints', endpoints.listEndpoints),
  get('/webhook_endpoints/:id', endpoints.readEndpoint),
  post('/webhook_endpoints/:id', endpoints.updateEndpoint),
  remove('/webhook_endpoints/:id', endpoints.deleteEndpoint),
];
