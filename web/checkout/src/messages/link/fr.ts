import type { LinkMessages } from './en.ts';

export const fr: LinkMessages = {
  linkTitle: 'Connectez votre compte bancaire',
  linkText: '{merchant} souhaite voir votre compte bancaire. Choisissez votre banque.',
  linkUntil: 'Utilisez cette page avant {time}',
  linkBankFailed:
    '{bank} ne peut pas être jointe en ce moment. Réessayez ou choisissez une autre banque.',
  linkCancel: 'Ne pas connecter',
  linkReviewTitle: 'Vérifiez ce que vous partagez',
  linkService: '{merchant} pour le compte de {operator}',
  linkShares: 'Vous autorisez {service} à lire chez {bank} :',
  linkAccounts: 'Données du compte : nom de la banque, sort code et numéro de compte',
  linkBalances: 'Soldes',
  linkTransactions:
    'Opérations des {months} derniers mois : date, montant, libellé, et qui a payé ou a été payé',
  linkPurpose:
    '{merchant} s’en sert pour le service que vous avez ' +
    'demandé. Aucun paiement ne peut être fait ainsi.',
  linkPeriod:
    'L’accès dure jusqu’à ce que vous y mettiez fin. Vous ' +
    'le confirmez tous les {days} jours ; sinon il s’arrête.',
  linkRevoke:
    'Vous pouvez y mettre fin à tout moment : sur cette page, chez ' +
    '{merchant} ou à votre banque. Ce qui a été lu est alors effacé.',
  linkChooseThere: 'Vous choisissez les comptes à votre banque.',
  linkAgree: 'Accepter et continuer vers {bank}',
  linkWaiting: 'Votre banque confirme. Veuillez garder cette page ouverte.',
  linkedTitle: 'Connecté à {bank}',
  linkedText:
    '{merchant} peut lire ces comptes. Veuillez confirmer avant le {date} si cela doit continuer.',
  linkedSince: 'Connecté depuis le {date}',
  linkMissedTitle: 'L’accès doit-il continuer ?',
  linkMissedText:
    'Vous n’avez pas confirmé l’accès à {bank} : {merchant} ne peut plus lire vos comptes.',
  linkConfirm: 'Confirmer pour {days} jours',
  linkConfirmed: 'Merci. {merchant} peut lire vos comptes jusqu’au {date}.',
  linkEnd: 'Mettre fin à l’accès',
  linkEndText: 'Plus rien ne sera lu, et ce qui a été lu sera effacé.',
  linkEndedTitle: 'L’accès a pris fin',
  linkEndedText:
    '{merchant} ne peut plus lire vos comptes. Pour les reconnecter, repartez de {merchant}.',
  linkNotFoundTitle: 'Nous ne trouvons pas ce lien',
  linkBadReturnText: 'Recommencez depuis le commerçant, ou ouvrez à nouveau votre lien.',
  testBankText: 'Ceci est une banque de test. Choisissez sa réponse.',
  testBankApprove: 'Approuver',
  testBankDecline: 'Refuser',
  testBankFail: 'Faire échouer',
};
