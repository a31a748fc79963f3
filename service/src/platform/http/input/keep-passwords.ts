const names = ['password', 'currentPassword', 'newPassword'];

/**
 * A password is verified as it came, with the control characters that other texts lose. False: the text as it
 * was sent is no JSON.
 */
export const keepPasswords = (body: unknown, sent: string, cleaned: string): boolean => {
  if (sent === cleaned || body === null || typeof body !== 'object') return true;
  const members = body as Record<string, unknown>;
  const kept = names.filter((name) => typeof members[name] === 'string');
  if (kept.length === 0) return true;
  try {
    const asSent = JSON.parse(sent) as Record<string, unknown>;
    for (const name of kept) members[name] = asSent[name];
    return true;
  } catch {
    return false;
  }
};
