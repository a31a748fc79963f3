import { metrics } from '#platform/metrics.ts';
import type { Uses } from '#platform/tools.ts';
import {
  type MailRail,
  type MailRounds,
  mailRetryMs,
  sendMail,
  sendQueue,
} from '#rails/mail-rail.ts';
import {
  claimUnreportedCases,
  countOpenCases,
  finishCaseReport,
  type ReportedCase,
} from './store.ts';

const countEveryMs = 15_000;

type JobTools = Uses<'database' | 'log'> & {
  readonly mailRail: MailRail | null;
  readonly mailRounds?: MailRounds;
  /** Null: cases are logged, counted and listed, not mailed. */
  readonly operatorMail: string | null;
};

export const operatorCaseJobs = (tools: JobTools) => [
  { name: 'reportOperatorCases', run: () => reportCases(tools) },
  { name: 'countOperatorCases', everyMs: countEveryMs, run: () => countCases(tools) },
];

/** Each case is logged and mailed once; a mail that fails is sent again later. */
export const reportCases = (tools: JobTools): Promise<number> =>
  sendQueue(tools.mailRounds, tools.log, {
    name: 'CASE',
    claim: (values) => tools.database.system(claimUnreportedCases, values),
    work: (each) => reportCase(tools, each),
  });

const reportCase = async (tools: JobTools, reported: ReportedCase): Promise<void> => {
  const { case_id: caseId, merchant_id: merchantId, environment, kind, subject } = reported;
  if (reported.report_attempts === 1) {
    const { description } = reported;
    tools.log.error({ caseId, merchantId, environment, kind, subject }, description);
    metrics.add('florin_operator_cases_total', 1, { kind });
  }
  const error = await mailCase(tools, reported);
  if (error) tools.log.warn({ caseId, error }, 'an operator case is mailed again later');
  const retryMs = error ? mailRetryMs(reported.report_attempts) : null;
  await tools.database.system(finishCaseReport, { caseId, retryMs, error });
};

const mailCase = async (
  { mailRail, operatorMail }: JobTools,
  { case_id: caseId, kind, subject, description, evidence }: ReportedCase,
): Promise<string | null> => {
  if (!mailRail || operatorMail === null) return null;
  return sendMail(mailRail, () => ({
    messageId: `operator-case-${caseId}`,
    to: operatorMail,
    subject: `Florin needs you: ${kind}`,
    text: `${description}

Case: ${caseId}
About: ${subject}
${Object.entries(evidence)
  .map(([name, value]) => `${name}: ${value}`)
  .join('\n')}

Show it:     npm run operator -- case ${caseId}
Resolve it:  npm run operator -- resolve ${caseId} "what became of it"
`,
  }));
};

const countCases = async ({ database }: JobTools): Promise<number> => {
  const [row] = await database.system(countOpenCases, {});
  metrics.set('florin_operator_cases_open', Number(row?.open ?? 0));
  return 0;
};
