// Charges, refunds and disputes are kept inside their intent and carry its stem, so that an id
// alone says where to look.
const stemLength = 24;

interface Random {
  text(length: number): string;
}

export function intentId(random: Random): string {
  return `pi_3${random.text(stemLength - 1)}`;
}

export function attemptId(intent: { readonly id: string }, index: number): string {
  return `ch_${stemOf(intent.id)}${counted(index)}`;
}

export function refundId(intent: { readonly id: string }, index: number): string {
  return `re_${stemOf(intent.id)}${counted(index)}`;
}

export function intentIdOfPart(id: string): string {
  return `pi_${stemOf(id)}`;
}

function stemOf(id: string): string {
  return id.slice(3, 3 + stemLength);
}

function counted(index: number): string {
  return String(index).padStart(3, '0');
}
