import { signOut as operation } from '@florin/contract/dashboard/index.ts';
import { callOperation } from '../call/call-operation.ts';

/** Ends the session. Where the server is out of reach the page still shows nothing more. */
export const signOut = async (): Promise<void> => {
  await callOperation(operation, {}, { tenant: null }).catch(() => undefined);
};
