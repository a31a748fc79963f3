// Routes and their guard

export { admitForm } from './access/admit-form.ts';
export { requireProvenAddress } from './access/admit-member.ts';
export { guardPeople } from './access/guard-people.ts';
export { personRoutes } from './person-routes.ts';

// Mails to people

export { personMailJobs } from './mails/jobs.ts';
export { listCaughtMails, listUnsentMails } from './mails/list-caught-mails.ts';
export { allowanceSql } from './mails/store/allowance.ts';
export { failedPersonMails, sendPersonMailAgain } from './mails/store/failed-mails.ts';
export { failingHoursDefault, memberMailsSql, readersSql } from './mails/store/member-mails.ts';
export { personMailDueAt } from './mails/store/queue.ts';

// Jobs

export { sessionJobs } from './access/jobs.ts';

// People, and what they may do for a merchant

export { addMembership, addPerson } from './access/add-person.ts';
export { findNames } from './access/find-names.ts';
export { openSession } from './access/open-session.ts';
export { sessionCookie } from './access/session-cookie.ts';
export { setOperator } from './access/set-operator.ts';
export { admitToProduction } from './team/admit-to-production.ts';
export { createInvite } from './team/create-invite.ts';
