import type { LinkMessages } from './en.ts';

export const it: LinkMessages = {
  linkTitle: 'Colleghi il suo conto bancario',
  linkText: '{merchant} desidera vedere il suo conto bancario. Scelga la sua banca.',
  linkUntil: 'Usi questa pagina prima delle {time}',
  linkBankFailed: '{bank} non è raggiungibile al momento. Riprovi o scelga un’altra banca.',
  linkCancel: 'Non collegare',
  linkReviewTitle: 'Controlli ciò che condivide',
  linkService: '{merchant} per conto di {operator}',
  linkShares: 'Lei permette a {service} di leggere da {bank}:',
  linkAccounts: 'Dati del conto: nome della banca, sort code e numero di conto',
  linkBalances: 'Saldi',
  linkTransactions:
    'Movimenti degli ultimi {months} mesi: data, importo, descrizione e chi ha pagato o ricevuto',
  linkPurpose:
    '{merchant} li usa per il servizio che lei ha chiesto. Non consentono alcun pagamento.',
  linkPeriod:
    'L’accesso dura finché lei non lo termina. Lo conferma ogni {days} giorni; ' +
    'altrimenti si ferma.',
  linkRevoke:
    'Può terminarlo in ogni momento: in questa pagina, presso {merchant} o presso la ' +
    'sua banca. Ciò che è stato letto viene allora cancellato.',
  linkChooseThere: 'Lei sceglie i conti presso la sua banca.',
  linkAgree: 'Accetta e continua verso {bank}',
  linkWaiting: 'La sua banca sta confermando. Tenga aperta questa pagina.',
  linkedTitle: 'Collegato a {bank}',
  linkedText: '{merchant} può leggere questi conti. Confermi prima del {date} se deve continuare.',
  linkedSince: 'Collegato dal {date}',
  linkMissedTitle: 'L’accesso deve continuare?',
  linkMissedText:
    'Lei non ha confermato l’accesso a {bank}, quindi {merchant} non può più leggere i suoi conti.',
  linkConfirm: 'Conferma per {days} giorni',
  linkConfirmed: 'Grazie. {merchant} può leggere i suoi conti fino al {date}.',
  linkEnd: 'Termina l’accesso',
  linkEndText: 'Non verrà letto altro e ciò che è stato letto verrà cancellato.',
  linkEndedTitle: 'L’accesso è terminato',
  linkEndedText:
    '{merchant} non può più leggere i suoi conti. Per collegare di nuovo, cominci da {merchant}.',
  linkNotFoundTitle: 'Non troviamo questo link',
  linkBadReturnText: 'Ricominci dall’azienda o apra di nuovo il suo link.',
  testBankText: 'Questa è una banca di prova. Scelga la sua risposta.',
  testBankApprove: 'Approva',
  testBankDecline: 'Rifiuta',
  testBankFail: 'Fai fallire',
};
