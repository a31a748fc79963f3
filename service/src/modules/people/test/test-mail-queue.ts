import { expect, test } from 'vitest';
import { openKillable } from '../../../../../test/harness/open-killable.ts';
import { sql } from '../../../platform/database/sql.ts';
import { statement } from '../../../platform/database/statement.ts';
import type { Tools } from '../../../platform/tools.ts';
import type { Mail, MailOutcome } from '../../../rails/mail-rail.ts';
import { personMailJobs } from '../index.ts';
import { sendPersonMails } from '../mails/jobs.ts';

type Opened = {
  readonly tools: Tools & { readonly dashboardUrl: string };
  /** Has a link for a new password mailed to a person of its own. */
  readonly queueMail: () => Promise<void>;
  readonly ageMails: (by: string) => Promise<unknown>;
};

/** Of the mails to people that wait. */
export const testMailQueue = (open: () => Opened): void => {
  const railOf = (outcomes: readonly MailOutcome[]) => {
    const sent: Mail[] = [];
    const left = [...outcomes];
    return {
      sent,
      close: async () => undefined,
      send: async (mail: Mail): Promise<MailOutcome> => {
        sent.push(mail);
        return left.shift() ?? { kind: 'SENT' };
      },
    };
  };
  const drain = async (): Promise<void> => {
    const mailRail = railOf([]);
    await open().tools.database.system(dueNow, {});
    while ((await sendPersonMails({ ...open().tools, mailRail })) > 0);
  };

  test('sends a mail again after a failure with the same id and link, and then no more', async () => {
    await drain();
    const mailRail = railOf([{ kind: 'FAILED', description: 'no box ada@example.com' }]);
    const tools = { ...open().tools, mailRail };
    expect(await sendPersonMails({ ...tools, mailRail: null })).toBe(0);
    await open().queueMail();
    const both = await Promise.all([sendPersonMails(tools), sendPersonMails(tools)]);
    expect(both.sort()).toEqual([0, 1]);
    expect(await sendPersonMails(tools)).toBe(0);
    await open().tools.database.system(dueNow, {});
    expect(await sendPersonMails(tools)).toBe(1);
    expect(await sendPersonMails(tools)).toBe(0);
    const [one, other] = mailRail.sent;
    expect(one).toEqual(other);
    expect(one?.text).toContain(`${open().tools.dashboardUrl}/new-password#`);
  });

  test('sends a mail once, or twice under one id if the worker dies as it has sent', async () => {
    await drain();
    const killable = openKillable();
    const mailRail = railOf([]);
    const { sent, send } = mailRail;
    const tools = { ...open().tools, mailRail };
    const mortal = {
      ...tools,
      database: killable.database(tools.database),
      mailRail: { ...mailRail, send: (mail: Mail) => killable.step('send', () => send(mail)) },
    };
    const counts: Record<string, number> = {};
    await killable.killAfterEach({
      prepare: async () => {
        sent.length = 0;
        await open().queueMail();
      },
      work: () => sendPersonMails(mortal),
      check: async (_, killed) => {
        await open().tools.database.system(endLeases, {});
        await sendPersonMails(tools);
        expect(await sendPersonMails(tools), killed).toBe(0);
        expect(new Set(sent.map((mail) => JSON.stringify(mail))).size, killed).toBe(1);
        counts[killed.split(', ').at(-1) ?? ''] = sent.length;
      },
    });
    const claimed = 'killed after person_mail_claim';
    expect(counts).toEqual({ [claimed]: 1, send: 2, person_mail_finish: 1 });
  });

  test('gives a mail up after ten attempts, or when its link has ended', async () => {
    await drain();
    await open().queueMail();
    const failed = Array.from({ length: 12 }, () => ({
      ...{ kind: 'FAILED' as const, description: 'away' },
    }));
    const mailRail = railOf(failed);
    const tools = { ...open().tools, mailRail };
    for (let round = 0; round < 12; round += 1) {
      await open().tools.database.system(dueNow, {});
      await sendPersonMails(tools);
    }
    expect(mailRail.sent).toHaveLength(10);
    await open().queueMail();
    await open().ageMails('31 minutes');
    expect(await sendPersonMails(tools)).toBe(1);
    expect(mailRail.sent).toHaveLength(10);
  });

  test('forgets mails, links and counts that are old', async () => {
    await open().tools.database.system(oldMails, {});
    const [, prune] = personMailJobs({ ...open().tools, mailRail: null });
    await prune?.run();
    const [row] = await open().tools.database.system(countRows, {});
    expect(row?.left).toBe(0n);
  });
};

const dueNow = statement<object, never>(
  'test_person_mails_due',
  sql()`update person_mail set due_at = now() where sent_at is null and given_up_at is null`,
);

const endLeases = statement<object, never>(
  'test_person_mails_leases',
  sql()`update person_mail set leased_until = now() - interval '1 second'
   where leased_until is not null`,
);

const oldMails = statement<object, never>(
  'test_person_mails_old',
  sql()`
   with links as (update person_link set expires_at = now() - interval '1 second'),
   counts as (update mail_allowance set window_ends_at = now() - interval '1 second')
   update person_mail set created_at = now() - interval '8 days'`,
);

const countRows = statement<object, { readonly left: bigint }>(
  'test_person_mails_left',
  sql()`select (select count(*) from person_mail) + (select count(*) from person_link)
     + (select count(*) from mail_allowance) as left`,
);
