import {
  hurryWork as hurryOperation,
  listFailedMails as mailsOperation,
  sendMailAgain as sendOperation,
  hurrySharedWork as sharedOperation,
  listStuckWork as workOperation,
} from '@florin/contract';
import { operatorRoute, type Route } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import { hurrySharedWork, hurryWork } from './hurry-work.ts';
import { listStuckWork } from './list-stuck-work.ts';
import { listFailedMails, sendMailAgain } from './mails.ts';

export const operatorRoutes = (
  tools: Uses<'database' | 'secrets' | 'config'>,
): readonly Route[] => [
  operatorRoute(workOperation, ({ query }) => listStuckWork(tools, query)),
  operatorRoute(sharedOperation, ({ body }) => hurrySharedWork(tools, body)),
  operatorRoute(hurryOperation, ({ params }) => hurryWork(tools, params)),
  operatorRoute(mailsOperation, ({ query }) => listFailedMails(tools, query)),
  operatorRoute(sendOperation, ({ params }) => sendMailAgain(tools, params)),
];
