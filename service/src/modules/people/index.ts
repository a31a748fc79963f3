// Routes and their guard

export { admitForm, requireProvenAddress } from './access/admit-member.ts';
export { guardPeople } from './access/guard-people.ts';
export { operatorRoutes } from './operator-routes.ts';
export { personRoutes } from './person-routes.ts';

// Mails to people

export { listCaughtMails, listUnsentMails, personMailJobs } from './mails/jobs.ts';
export { allowanceSql } from './mails/store/links.ts';
export { mayMailSql } from './mails/store/may-mail.ts';
export {
  failedPersonMails,
  failingHoursDefault,
  memberMailsSql,
  personMailDueAt,
  readersSql,
  sendPersonMailAgain,
} from './mails/store/queue.ts';

// Jobs

export { sessionJobs } from './access/sessions.ts';

// People, and what they may do for a merchant

export { addMembership, addPerson, findNames, setOperator } from './access/add-person.ts';
export { deletePerson } from './access/delete-person.ts';
export { sessionCookie, startSession } from './access/sessions.ts';
export { createInvite } from './team/invites.ts';
export { admitToProduction } from './team/team-routes.ts';
