import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { useRepo } from '../../../lib/repo-context.ts'
import type { Commit } from '../../../lib/types.ts'
import { mergedQuery } from '../queries.ts'
import { layOut, type GraphRow } from './lanes.ts'

/** A row of the history: a commit of the branch, or one that a merge above it has brought. */
export interface HistoryRow {
  commit: Commit
  graph: GraphRow
  /** Sha of the merge that brought it. */
  mergedBy?: string
  /** What is known of the commits that it has merged. */
  merged?: Merged
}

/** The commits of a merge, once they are asked for. */
export interface Merged {
  isShown: boolean
  isLoading: boolean
  error: Error | null
  /** How many are listed below it, and whether it brought more than that. */
  count: number
  isTruncated: boolean
  toggle: () => void
}

/** The rows of a history, with the commits of those merges that were opened. */
export function useHistoryRows(commits: Commit[]): HistoryRow[] {
  const { address } = useRepo()
  const [opened, setOpened] = useState<readonly string[]>([])
  const shown = commits.filter(({ sha, parents }) => parents.length > 1 && opened.includes(sha))
  const answers = useQueries({ queries: shown.map(({ sha }) => mergedQuery(address, sha)) })
  const answerOf = (sha: string) => answers[shown.findIndex((commit) => commit.sha === sha)]
  const toggle = (sha: string) =>
    setOpened((now) => (now.includes(sha) ? now.filter((each) => each !== sha) : [...now, sha]))

  const listed = new Set(commits.map(({ sha }) => sha))
  const rows: Omit<HistoryRow, 'graph'>[] = []
  for (const commit of commits) {
    if (commit.parents.length < 2) {
      rows.push({ commit })
      continue
    }
    const { sha } = commit
    const answer = answerOf(sha)
    const found = answer?.data?.items.filter((each) => !listed.has(each.sha)) ?? []
    for (const each of found) listed.add(each.sha)
    const merged: Merged = {
      isShown: answer !== undefined,
      isLoading: answer?.isPending ?? false,
      error: answer?.error ?? null,
      count: found.length,
      isTruncated: answer?.data?.truncated ?? false,
      toggle: () => toggle(sha),
    }
    rows.push({ commit, merged })
    for (const each of found) rows.push({ commit: each, mergedBy: sha })
  }
  const drawn = new Set(rows.map(({ commit }) => commit.sha))
  const graph = layOut(
    rows.map(({ commit: { sha, parents }, mergedBy }) => ({
      sha,
      // The branch goes on below. Other parents have a line where their commits stand on the page.
      parents: parents.filter((parent, i) => drawn.has(parent) || (i === 0 && mergedBy === undefined)),
    })),
  )
  return rows.flatMap((row, i) => {
    const at = graph[i]
    return at ? [{ ...row, graph: at }] : []
  })
}
