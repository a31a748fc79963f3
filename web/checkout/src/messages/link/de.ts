import type { LinkMessages } from './en.ts';

export const de: LinkMessages = {
  linkTitle: 'Verbinden Sie Ihr Bankkonto',
  linkText: '{merchant} möchte Ihr Bankkonto sehen. Wählen Sie Ihre Bank.',
  linkUntil: 'Nutzen Sie diese Seite vor {time}',
  linkBankFailed:
    '{bank} ist zurzeit nicht erreichbar. Versuchen ' +
    'Sie es erneut oder wählen Sie eine andere Bank.',
  linkCancel: 'Nicht verbinden',
  linkReviewTitle: 'Prüfen Sie, was Sie teilen',
  linkService: '{merchant} im Auftrag von {operator}',
  linkShares: 'Sie erlauben {service}, bei {bank} zu lesen:',
  linkAccounts: 'Kontodaten: Name der Bank, Sort Code und Kontonummer',
  linkBalances: 'Kontostände',
  linkTransactions:
    'Umsätze der letzten {months} Monate: Datum, Betrag, Text und wer gezahlt oder erhalten hat',
  linkPurpose:
    '{merchant} nutzt das für den Dienst, um den Sie ' +
    'gebeten haben. Zahlungen sind damit nicht möglich.',
  linkPeriod:
    'Der Zugriff gilt, bis Sie ihn beenden. Sie bestätigen ihn alle {days} Tage; sonst endet er.',
  linkRevoke:
    'Sie können ihn jederzeit beenden: auf dieser Seite, bei {merchant} ' +
    'oder bei Ihrer Bank. Was gelesen wurde, wird dann gelöscht.',
  linkChooseThere: 'Die Konten wählen Sie bei Ihrer Bank.',
  linkAgree: 'Zustimmen und weiter zu {bank}',
  linkWaiting: 'Ihre Bank bestätigt gerade. Bitte lassen Sie diese Seite offen.',
  linkedTitle: 'Verbunden mit {bank}',
  linkedText:
    '{merchant} kann diese Konten lesen. Bitte bestätigen ' +
    'Sie vor dem {date}, wenn das so bleiben soll.',
  linkedSince: 'Verbunden seit {date}',
  linkMissedTitle: 'Soll der Zugriff weitergehen?',
  linkMissedText:
    'Sie haben den Zugriff auf {bank} nicht bestätigt, ' +
    'daher kann {merchant} Ihre Konten nicht mehr lesen.',
  linkConfirm: 'Für {days} Tage bestätigen',
  linkConfirmed: 'Danke. {merchant} darf Ihre Konten bis {date} lesen.',
  linkEnd: 'Zugriff beenden',
  linkEndText: 'Es wird nichts mehr gelesen, und was gelesen wurde, wird gelöscht.',
  linkEndedTitle: 'Der Zugriff ist beendet',
  linkEndedText:
    '{merchant} kann Ihre Konten nicht mehr lesen. Um ' +
    'sie wieder zu verbinden, beginnen Sie bei {merchant}.',
  linkNotFoundTitle: 'Wir können diesen Link nicht finden',
  linkBadReturnText: 'Beginnen Sie erneut beim Geschäft oder öffnen Sie Ihren Link noch einmal.',
  testBankText: 'Dies ist eine Testbank. Wählen Sie ihre Antwort.',
  testBankApprove: 'Freigeben',
  testBankDecline: 'Ablehnen',
  testBankFail: 'Fehlschlagen lassen',
};
