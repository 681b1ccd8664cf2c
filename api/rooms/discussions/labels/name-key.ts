/** What makes two names of labels the same, and puts them in order. */
export const keyOfName = (name: string): string => name.toLowerCase()
