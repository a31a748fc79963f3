import type { LinkMessages } from './en.ts';

export const uk: LinkMessages = {
  linkTitle: 'Під’єднайте свій банківський рахунок',
  linkText: '{merchant} хоче бачити ваш банківський рахунок. Виберіть свій банк.',
  linkUntil: 'Скористайтеся цією сторінкою до {time}',
  linkBankFailed: '{bank} зараз недоступний. Спробуйте ще раз або виберіть інший банк.',
  linkCancel: 'Не під’єднувати',
  linkReviewTitle: 'Перевірте, чим ви ділитеся',
  linkService: '{merchant} від імені {operator}',
  linkShares: 'Ви дозволяєте {service} читати в {bank}:',
  linkAccounts: 'Дані рахунку: назва банку, код відділення й номер рахунку',
  linkBalances: 'Залишки',
  linkTransactions: 'Операції за останні {months} міс.: дата, сума, опис і хто платив або отримав',
  linkPurpose: '{merchant} використовує це для послуги, яку ви замовили. Платити цим не можна.',
  linkPeriod:
    'Доступ діє, доки ви його не припините. Ви підтверджуєте ' +
    'його кожні {days} днів; інакше він припиняється.',
  linkRevoke:
    'Ви можете припинити його будь-коли: на цій сторінці, у ' +
    '{merchant} або у своєму банку. Прочитане тоді видаляється.',
  linkChooseThere: 'Рахунки ви вибираєте у своєму банку.',
  linkAgree: 'Погодитися й перейти до {bank}',
  linkWaiting: 'Ваш банк підтверджує. Не закривайте цю сторінку.',
  linkedTitle: 'Під’єднано до {bank}',
  linkedText: '{merchant} може читати ці рахунки. Підтвердьте до {date}, якщо це має тривати.',
  linkedSince: 'Під’єднано з {date}',
  linkMissedTitle: 'Продовжити доступ?',
  linkMissedText:
    'Ви не підтвердили доступ до {bank}, тому {merchant} більше не може читати ваші рахунки.',
  linkConfirm: 'Підтвердити на {days} днів',
  linkConfirmed: 'Дякуємо. {merchant} може читати ваші рахунки до {date}.',
  linkEnd: 'Припинити доступ',
  linkEndText: 'Більше нічого не читатимуть, а прочитане буде видалено.',
  linkEndedTitle: 'Доступ припинено',
  linkEndedText:
    '{merchant} більше не може читати ваші рахунки. Щоб під’єднати знову, почніть із {merchant}.',
  linkNotFoundTitle: 'Ми не можемо знайти це посилання',
  linkBadReturnText: 'Почніть знову в продавця або відкрийте посилання ще раз.',
  testBankText: 'Це тестовий банк. Виберіть його відповідь.',
  testBankApprove: 'Підтвердити',
  testBankDecline: 'Відхилити',
  testBankFail: 'Зробити невдалим',
};
