import { uuidv7 } from 'uuidv7'

/** A fresh UUIDv7: begins with the time, so rows sort as they were made. */
export const newId = (): string => uuidv7()
