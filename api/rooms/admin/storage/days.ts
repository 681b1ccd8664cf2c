const DAY_MS = 86_400_000

/** How many days are kept. */
export const KEPT_DAYS = 400

/** The UTC day of a time, or of one that many days later, such as `2026-03-01`. */
export const dayOf = (time: Date, daysLater = 0): string =>
  new Date(time.getTime() + daysLater * DAY_MS).toISOString().slice(0, 10)
