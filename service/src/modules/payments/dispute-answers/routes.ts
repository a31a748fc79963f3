import {
  acceptDispute,
  addDisputeFile,
  getDisputeAnswer,
  removeDisputeFile,
  saveDisputeEvidence,
  submitDisputeAnswer,
} from '@florin/contract/dashboard/index.ts';
import type { CardRails } from '#modules/cards/index.ts';
import { memberOf, type Route, route } from '#platform/http/route.ts';
import type { Uses } from '#platform/tools.ts';
import { answerView, changeDraft, findDisputed, sendAnswer } from './dispute-answer.ts';
import { addFile } from './upload-file.ts';

/** What members answer to a dispute (CARD-21). */
export const memberRoutes = (
  tools: Uses<'database' | 'ids'> & { readonly cardRails: CardRails },
): readonly Route[] => [
  route(getDisputeAnswer, async ({ params }, { tenant }) =>
    answerView(params, await findDisputed(tools, { ...params, tenant })),
  ),
  route(saveDisputeEvidence, async ({ params, body }, caller) => {
    const answering = { ...params, tenant: caller.tenant };
    return answerView(params, await changeDraft(tools, answering, memberOf(caller), body));
  }),
  route(addDisputeFile, async ({ params, body }, caller) => {
    const answering = { ...params, tenant: caller.tenant };
    return answerView(params, await addFile(tools, answering, memberOf(caller), body));
  }),
  route(removeDisputeFile, async ({ params: { fileKind: removed, ...params } }, caller) => {
    const answering = { ...params, tenant: caller.tenant };
    return answerView(params, await changeDraft(tools, answering, memberOf(caller), { removed }));
  }),
  route(submitDisputeAnswer, ({ params, body: { version } }, caller) => {
    const answering = { ...params, tenant: caller.tenant };
    return sendAnswer(tools, answering, memberOf(caller), 'submitted', version);
  }),
  route(acceptDispute, ({ params }, caller) =>
    sendAnswer(tools, { ...params, tenant: caller.tenant }, memberOf(caller), 'accepted'),
  ),
];
