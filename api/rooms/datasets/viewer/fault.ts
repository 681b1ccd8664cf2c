/** A data file that cannot be shown, by its own fault; the message is for those who ask. */
export class DataFault extends Error {}

/** A request that would take more memory than one may. */
export class TooBig extends DataFault {}

/** How a thread marks that a file is too big, so that the main thread tells it from a damaged one. */
export const TOO_BIG = 'Too big: '
