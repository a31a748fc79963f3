import type { LinkMessages } from './en.ts';

export const pt: LinkMessages = {
  linkTitle: 'Ligue a sua conta bancária',
  linkText: '{merchant} gostaria de ver a sua conta bancária. Escolha o seu banco.',
  linkUntil: 'Use esta página antes de {time}',
  linkBankFailed: 'Não é possível contactar {bank} agora. Tente de novo ou escolha outro banco.',
  linkCancel: 'Não ligar',
  linkReviewTitle: 'Verifique o que partilha',
  linkService: '{merchant} em nome de {operator}',
  linkShares: 'Permite que {service} leia de {bank}:',
  linkAccounts: 'Dados da conta: nome do banco, sort code e número da conta',
  linkBalances: 'Saldos',
  linkTransactions:
    'Movimentos dos últimos {months} meses: data, valor, descrição e quem pagou ou recebeu',
  linkPurpose:
    '{merchant} usa-os para o serviço que pediu. Não é possível fazer pagamentos com eles.',
  linkPeriod:
    'O acesso dura até que o termine. Confirma-o a cada {days} dias; caso contrário, para.',
  linkRevoke:
    'Pode terminá-lo a qualquer momento: nesta página, com {merchant} ou no seu ' +
    'banco. O que foi lido é então apagado.',
  linkChooseThere: 'Escolhe as contas no seu banco.',
  linkAgree: 'Aceitar e continuar para {bank}',
  linkWaiting: 'O seu banco está a confirmar. Mantenha esta página aberta.',
  linkedTitle: 'Ligado a {bank}',
  linkedText: '{merchant} pode ler estas contas. Confirme antes de {date} se deve continuar.',
  linkedSince: 'Ligado desde {date}',
  linkMissedTitle: 'O acesso deve continuar?',
  linkMissedText:
    'Não confirmou o acesso a {bank}, por isso {merchant} já não pode ler as suas contas.',
  linkConfirm: 'Confirmar por {days} dias',
  linkConfirmed: 'Obrigado. {merchant} pode ler as suas contas até {date}.',
  linkEnd: 'Terminar o acesso',
  linkEndText: 'Nada mais será lido e o que foi lido será apagado.',
  linkEndedTitle: 'O acesso terminou',
  linkEndedText:
    '{merchant} já não pode ler as suas contas. Para ligar de novo, comece em {merchant}.',
  linkNotFoundTitle: 'Não encontramos este link',
  linkBadReturnText: 'Comece de novo na empresa ou abra o seu link outra vez.',
  testBankText: 'Este é um banco de teste. Escolha a resposta dele.',
  testBankApprove: 'Aprovar',
  testBankDecline: 'Recusar',
  testBankFail: 'Fazer falhar',
};
