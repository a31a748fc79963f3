import type { LinkMessages } from './en.ts';

export const cy: LinkMessages = {
  linkTitle: 'Cysylltu eich cyfrif banc',
  linkText: 'Hoffai {merchant} weld eich cyfrif banc. Dewiswch eich banc.',
  linkUntil: 'Defnyddiwch y dudalen hon cyn {time}',
  linkBankFailed:
    'Ni ellir cyrraedd {bank} ar hyn o bryd. Rhowch gynnig arall arni, neu dewiswch fanc arall.',
  linkCancel: 'Peidio â chysylltu',
  linkReviewTitle: 'Gwiriwch beth rydych yn ei rannu',
  linkService: '{merchant} ar ran {operator}',
  linkShares: 'Rydych yn gadael i {service} ddarllen o {bank}:',
  linkAccounts: 'Manylion cyfrif: enw’r banc, cod didoli a rhif cyfrif',
  linkBalances: 'Balansau',
  linkTransactions:
    'Trafodion y {months} mis diwethaf: dyddiad, swm, disgrifiad, a phwy dalodd neu a dalwyd',
  linkPurpose:
    'Mae {merchant} yn defnyddio hyn ar gyfer y gwasanaeth y gofynnoch amdano. Ni ' +
    'ellir gwneud taliad ag ef.',
  linkPeriod:
    'Mae’r mynediad yn para nes i chi ddod ag ef i ben. Rydych yn ei gadarnhau bob ' +
    '{days} diwrnod; fel arall mae’n stopio.',
  linkRevoke:
    'Gallwch ddod ag ef i ben unrhyw bryd: ar y dudalen hon, gyda {merchant}, neu yn ' +
    'eich banc. Yna caiff yr hyn a ddarllenwyd ei ddileu.',
  linkChooseThere: 'Rydych yn dewis y cyfrifon yn eich banc.',
  linkAgree: 'Cytuno a pharhau i {bank}',
  linkWaiting: 'Mae eich banc yn cadarnhau. Cadwch y dudalen hon ar agor.',
  linkedTitle: 'Wedi cysylltu â {bank}',
  linkedText:
    'Gall {merchant} ddarllen y cyfrifon hyn. Cadarnhewch cyn {date} os dylai hyn barhau.',
  linkedSince: 'Wedi cysylltu ers {date}',
  linkMissedTitle: 'A ddylai’r mynediad barhau?',
  linkMissedText:
    'Nid ydych wedi cadarnhau mynediad i {bank}, felly ni all {merchant} ddarllen ' +
    'eich cyfrifon mwyach.',
  linkConfirm: 'Cadarnhau am {days} diwrnod',
  linkConfirmed: 'Diolch. Caiff {merchant} ddarllen eich cyfrifon tan {date}.',
  linkEnd: 'Dod â’r mynediad i ben',
  linkEndText: 'Ni ddarllenir dim mwy, a chaiff yr hyn a ddarllenwyd ei ddileu.',
  linkEndedTitle: 'Mae’r mynediad wedi dod i ben',
  linkEndedText:
    'Ni all {merchant} ddarllen eich cyfrifon mwyach. I gysylltu eto, dechreuwch o {merchant}.',
  linkNotFoundTitle: 'Ni allwn ddod o hyd i’r ddolen hon',
  linkBadReturnText: 'Dechreuwch eto o’r busnes, neu agorwch eich dolen eto.',
  testBankText: 'Banc prawf yw hwn. Dewiswch ei ateb.',
  testBankApprove: 'Cymeradwyo',
  testBankDecline: 'Gwrthod',
  testBankFail: 'Gadael iddo fethu',
};
