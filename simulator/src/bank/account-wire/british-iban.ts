const bankLetters = 'SIMU';

// ISO 13616: letters count from 10, and the check digits make the whole a multiple of 97 plus one.
export const britishIban = (sortCode: string, accountNumber: string): string => {
  const inside = `${bankLetters}${sortCode}${accountNumber}`;
  const digits = `${inside}GB00`.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  const check = 98n - (BigInt(digits) % 97n);
  return `GB${check.toString().padStart(2, '0')}${inside}`;
};
