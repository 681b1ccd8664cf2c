/** Whether a revision is named by its commit. */
export const isSha = (rev: string): boolean => /^[0-9a-f]{40}$/.test(rev)

/** A revision as text shows it: a commit by the beginning of its hash. */
export const revName = (rev: string): string => (isSha(rev) ? rev.slice(0, 8) : rev)
