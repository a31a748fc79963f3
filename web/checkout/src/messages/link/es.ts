import type { LinkMessages } from './en.ts';

export const es: LinkMessages = {
  linkTitle: 'Conecte su cuenta bancaria',
  linkText: '{merchant} desea ver su cuenta bancaria. Elija su banco.',
  linkUntil: 'Use esta página antes de {time}',
  linkBankFailed: 'Ahora no se puede contactar con {bank}. Inténtelo de nuevo o elija otro banco.',
  linkCancel: 'No conectar',
  linkReviewTitle: 'Revise lo que comparte',
  linkService: '{merchant} en nombre de {operator}',
  linkShares: 'Usted permite que {service} lea de {bank}:',
  linkAccounts: 'Datos de la cuenta: nombre del banco, sort code y número de cuenta',
  linkBalances: 'Saldos',
  linkTransactions:
    'Movimientos de los últimos {months} meses: fecha, importe, descripción y quién pagó o cobró',
  linkPurpose:
    '{merchant} los usa para el servicio que usted ha pedido. No se puede pagar con ellos.',
  linkPeriod:
    'El acceso dura hasta que usted lo termine. Lo confirma cada {days} días; si no, se detiene.',
  linkRevoke:
    'Puede terminarlo cuando quiera: en esta página, con {merchant} o en su banco. ' +
    'Lo leído se borra entonces.',
  linkChooseThere: 'Usted elige las cuentas en su banco.',
  linkAgree: 'Aceptar y continuar a {bank}',
  linkWaiting: 'Su banco está confirmando. No cierre esta página.',
  linkedTitle: 'Conectado con {bank}',
  linkedText: '{merchant} puede leer estas cuentas. Confirme antes del {date} si debe continuar.',
  linkedSince: 'Conectado desde el {date}',
  linkMissedTitle: '¿Debe continuar el acceso?',
  linkMissedText:
    'No ha confirmado el acceso a {bank}, así que {merchant} ya no puede leer sus cuentas.',
  linkConfirm: 'Confirmar por {days} días',
  linkConfirmed: 'Gracias. {merchant} puede leer sus cuentas hasta el {date}.',
  linkEnd: 'Terminar el acceso',
  linkEndText: 'No se leerá nada más y lo leído se borrará.',
  linkEndedTitle: 'El acceso ha terminado',
  linkEndedText:
    '{merchant} ya no puede leer sus cuentas. Para conectar de nuevo, empiece desde {merchant}.',
  linkNotFoundTitle: 'No encontramos este enlace',
  linkBadReturnText: 'Empiece de nuevo desde la empresa o abra su enlace otra vez.',
  testBankText: 'Este es un banco de prueba. Elija su respuesta.',
  testBankApprove: 'Aprobar',
  testBankDecline: 'Rechazar',
  testBankFail: 'Hacer que falle',
};
