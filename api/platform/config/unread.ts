/** Keys whose feature is not built yet: setting one is warned of. A key leaves this list when code reads it; none is added. */
export const unread: string[] = []
