/** Problems of every operation that is for instance admins alone. */
export const forAdmins = ['unauthenticated', 'forbidden', 'insufficient-scope'] as const
