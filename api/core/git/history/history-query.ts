/** A stretch of first-parent history. */
export interface HistoryQuery {
  sha: string
  /** Only commits that changed this file or something in this folder. */
  path?: string
  /** Begin behind this commit of the history, the last one of the page before. */
  after?: string
  /** How many to pass over: a jump to a page by its number. */
  offset?: number
  limit: number
}
