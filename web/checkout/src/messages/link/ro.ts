import type { LinkMessages } from './en.ts';

export const ro: LinkMessages = {
  linkTitle: 'Conectați-vă contul bancar',
  linkText: '{merchant} dorește să vă vadă contul bancar. Alegeți banca.',
  linkUntil: 'Folosiți această pagină înainte de {time}',
  linkBankFailed: '{bank} nu poate fi contactată acum. Încercați din nou sau alegeți altă bancă.',
  linkCancel: 'Nu conecta',
  linkReviewTitle: 'Verificați ce partajați',
  linkService: '{merchant} în numele {operator}',
  linkShares: 'Permiteți ca {service} să citească de la {bank}:',
  linkAccounts: 'Detaliile contului: numele băncii, sort code și numărul contului',
  linkBalances: 'Solduri',
  linkTransactions:
    'Tranzacțiile din ultimele {months} luni: data, suma, descrierea și cine a ' +
    'plătit sau a fost plătit',
  linkPurpose:
    '{merchant} le folosește pentru serviciul cerut de dvs. Nu se pot face plăți cu ele.',
  linkPeriod:
    'Accesul durează până îl încheiați. Îl confirmați la fiecare {days} de zile; ' +
    'altfel se oprește.',
  linkRevoke:
    'Îl puteți încheia oricând: pe această pagină, la {merchant} sau la banca dvs. ' +
    'Ce s-a citit este apoi șters.',
  linkChooseThere: 'Alegeți conturile la banca dvs.',
  linkAgree: 'Accept și continui la {bank}',
  linkWaiting: 'Banca dvs. confirmă. Păstrați această pagină deschisă.',
  linkedTitle: 'Conectat la {bank}',
  linkedText:
    '{merchant} poate citi aceste conturi. Confirmați înainte de {date} dacă doriți să continue.',
  linkedSince: 'Conectat din {date}',
  linkMissedTitle: 'Să continue accesul?',
  linkMissedText:
    'Nu ați confirmat accesul la {bank}, așa că {merchant} nu vă mai poate citi conturile.',
  linkConfirm: 'Confirmă pentru {days} de zile',
  linkConfirmed: 'Vă mulțumim. {merchant} vă poate citi conturile până la {date}.',
  linkEnd: 'Încheie accesul',
  linkEndText: 'Nu se va mai citi nimic, iar ce s-a citit va fi șters.',
  linkEndedTitle: 'Accesul s-a încheiat',
  linkEndedText:
    '{merchant} nu vă mai poate citi conturile. Pentru a conecta din nou, porniți de ' +
    'la {merchant}.',
  linkNotFoundTitle: 'Nu găsim acest link',
  linkBadReturnText: 'Începeți din nou de la firmă sau deschideți din nou linkul.',
  testBankText: 'Aceasta este o bancă de test. Alegeți răspunsul ei.',
  testBankApprove: 'Aprobă',
  testBankDecline: 'Refuză',
  testBankFail: 'Provoacă o eroare',
};
