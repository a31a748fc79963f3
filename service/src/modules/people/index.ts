import { sessionJobs } from './access/sessions.ts';
import { operatorCommands } from './commands.ts';
import { personMailJobs } from './mails/jobs.ts';
import { personMailDueAt } from './mails/store/queue.ts';

export { plainName } from './mails/write-mail.ts';

import { operatorRoutes } from './operator-routes.ts';
import { personRoutes } from './person-routes.ts';

// What the programs mount

export const peopleModule = {
  name: 'people',
  migrations: ['0006_people.sql', '0007_mails_to_people.sql'],
  routes: [personRoutes],
  operatorRoutes: [operatorRoutes],
  jobs: [sessionJobs, personMailJobs],
  dueAt: { sendPersonMails: personMailDueAt },
  operatorCommands,
};

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
  readersSql,
  sendPersonMailAgain,
} from './mails/store/queue.ts';

// Jobs

export { sessionJobs } from './access/sessions.ts';

// People, and what they may do for a merchant

export { addMembership, addPerson, findNames, setOperator } from './access/add-person.ts';
export { deletePerson } from './access/delete-person.ts';
export { sessionCookie, startSession, type Visitor, visitorBy } from './access/sessions.ts';
export { createInvite } from './team/invites.ts';
export { admitToProduction } from './team/team-routes.ts';
