import type { LinkMessages } from './en.ts';

export const pl: LinkMessages = {
  linkTitle: 'Połącz swoje konto bankowe',
  linkText: '{merchant} chce zobaczyć Twoje konto bankowe. Wybierz swój bank.',
  linkUntil: 'Skorzystaj z tej strony przed {time}',
  linkBankFailed: '{bank} jest teraz nieosiągalny. Spróbuj ponownie albo wybierz inny bank.',
  linkCancel: 'Nie łącz',
  linkReviewTitle: 'Sprawdź, co udostępniasz',
  linkService: '{merchant} w imieniu {operator}',
  linkShares: 'Pozwalasz, aby {service} odczytywał z {bank}:',
  linkAccounts: 'Dane konta: nazwa banku, sort code i numer konta',
  linkBalances: 'Salda',
  linkTransactions:
    'Transakcje z ostatnich {months} miesięcy: data, kwota, opis oraz kto zapłacił ' +
    'lub otrzymał pieniądze',
  linkPurpose:
    '{merchant} używa tych danych do usługi, o którą prosisz. Nie można nimi wykonać płatności.',
  linkPeriod:
    'Dostęp trwa, dopóki go nie zakończysz. Potwierdzasz go co {days} dni; inaczej wygasa.',
  linkRevoke:
    'Możesz go zakończyć w każdej chwili: na tej stronie, u {merchant} albo w swoim ' +
    'banku. Odczytane dane zostaną wtedy usunięte.',
  linkChooseThere: 'Konta wybierasz w swoim banku.',
  linkAgree: 'Zgadzam się i przechodzę do {bank}',
  linkWaiting: 'Twój bank potwierdza. Nie zamykaj tej strony.',
  linkedTitle: 'Połączono z {bank}',
  linkedText: '{merchant} może odczytywać te konta. Potwierdź przed {date}, jeśli ma tak pozostać.',
  linkedSince: 'Połączono od {date}',
  linkMissedTitle: 'Czy dostęp ma trwać dalej?',
  linkMissedText:
    'Dostęp do {bank} nie został potwierdzony, więc {merchant} nie może już ' +
    'odczytywać Twoich kont.',
  linkConfirm: 'Potwierdź na {days} dni',
  linkConfirmed: 'Dziękujemy. {merchant} może odczytywać Twoje konta do {date}.',
  linkEnd: 'Zakończ dostęp',
  linkEndText: 'Nic więcej nie zostanie odczytane, a odczytane dane zostaną usunięte.',
  linkEndedTitle: 'Dostęp został zakończony',
  linkEndedText:
    '{merchant} nie może już odczytywać Twoich kont. Aby połączyć ponownie, zacznij od {merchant}.',
  linkNotFoundTitle: 'Nie możemy znaleźć tego linku',
  linkBadReturnText: 'Zacznij ponownie od firmy albo otwórz swój link jeszcze raz.',
  testBankText: 'To jest bank testowy. Wybierz jego odpowiedź.',
  testBankApprove: 'Zatwierdź',
  testBankDecline: 'Odrzuć',
  testBankFail: 'Wywołaj błąd',
};
