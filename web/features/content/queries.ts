import { infiniteQueryOptions, queryOptions, useQueryClient } from '@tanstack/react-query'
import { ApiProblem, type Operations } from '../../../shared/client.ts'
import { download, fileUrl } from '../../../shared/transfer.ts'
import { limits } from '../../../shared/vocabulary.ts'
import { api } from '../../lib/api.ts'
import { useMutation } from '../../lib/mutation.ts'
import { pagedQuery } from '../../lib/paging.ts'
import { keyOf, refsQuery } from '../../lib/repo-queries.ts'
import type { RepoAddress, TreeEntry } from '../../lib/types.ts'
import { decodeLines, encodeLines, type Lines } from './line-ends.ts'

type CommitRequest = Operations['createCommit']['args']['body']

/** Texts above this are offered as a download only. */
export const maxTextBytes = 1_000_000
/** How much of a text is shown; more takes seconds to fetch and to lay out. */
export const maxShownBytes = 5_000_000
/** Pages of the recursive listing that the file finder reads at most. */
const maxFinderPages = 20

interface TreeAt {
  rev: string
  path: string
}

function readTree(address: RepoAddress, { rev, path }: TreeAt, cursor: string, signal: AbortSignal) {
  const query = { limit: 200, ...(cursor ? { cursor } : {}) }
  return path
    ? api.getTreePath({ params: { ...address, rev, path }, query }, { signal })
    : api.getTree({ params: { ...address, rev }, query }, { signal })
}

/** A folder, page by page, or one file. */
export const treeQuery = (address: RepoAddress, at: TreeAt) =>
  infiniteQueryOptions({
    queryKey: [...keyOf(address), 'tree', at],
    queryFn: ({ pageParam, signal }) => readTree(address, at, pageParam, signal),
    initialPageParam: '',
    getNextPageParam: (last) => last.next_cursor || undefined,
  })

/** What the card and the files of the default branch say. */
export const metadataQuery = (address: RepoAddress) =>
  queryOptions({
    queryKey: [...keyOf(address), 'metadata'],
    queryFn: ({ signal }) => api.getMetadata({ params: address, query: {} }, { signal }),
  })

export type Dependencies = Operations['getDependencies']['result']

/** What a repo needs, and what needs it. */
export const dependenciesQuery = (address: RepoAddress) =>
  queryOptions({
    queryKey: [...keyOf(address), 'dependencies'],
    queryFn: ({ signal }) => api.getDependencies({ params: address }, { signal }),
  })

/** Every path of a revision, for the file finder. */
export const pathsQuery = (address: RepoAddress, rev: string) =>
  queryOptions({
    queryKey: [...keyOf(address), 'paths', rev],
    queryFn: async ({ signal }) => {
      const entries: TreeEntry[] = []
      let cursor = ''
      for (let page = 0; page < maxFinderPages; page++) {
        const query = { recursive: 'true' as const, limit: limits.pageMax, ...(cursor ? { cursor } : {}) }
        const listing = await api.getTree({ params: { ...address, rev }, query }, { signal })
        entries.push(...listing.entries.filter((entry) => entry.kind === 'file'))
        cursor = listing.next_cursor
        if (!cursor) break
      }
      return entries.map((entry) => entry.path)
    },
  })

/** A file's text, or `undefined` when its bytes are no text. Reads no more than the shown limit. */
export const textQuery = (address: RepoAddress, at: TreeAt, sizeBytes: number) =>
  queryOptions({
    queryKey: [...keyOf(address), 'text', at],
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      const url = fileUrl(address, at.rev, at.path)
      const range: [number, number] = [0, maxShownBytes - 1]
      const response = await download(url, sizeBytes > maxShownBytes ? { signal, range } : { signal })
      const bytes = new Uint8Array(await response.arrayBuffer())
      return { text: bytes.subarray(0, 8000).includes(0) ? undefined : new TextDecoder().decode(bytes) }
    },
  })

/** A text file as an editor found it. */
export interface TextBefore extends Lines {
  path: string
  oid: string
  /** The commit it was read at. */
  commit: string
}

/** A file to be edited, or `null` when that would spoil it: it is too large, an LFS object, or not in UTF-8. */
export const textBeforeQuery = (address: RepoAddress, at: TreeAt) =>
  queryOptions({
    queryKey: [...keyOf(address), 'edit', at],
    // What is being edited must not change under the hands of the editor.
    staleTime: Infinity,
    gcTime: 0,
    queryFn: async ({ signal }): Promise<TextBefore | null> => {
      const { commit, file } = await readTree(address, at, '', signal)
      if (!file || file.lfs || file.size > maxTextBytes) return null
      const response = await download(fileUrl(address, commit, at.path), { signal })
      const lines = decodeLines(new Uint8Array(await response.arrayBuffer()))
      return lines ? { ...lines, path: at.path, oid: file.oid, commit } : null
    },
  })

export const commitsQuery = (address: RepoAddress, { rev, path }: TreeAt) =>
  pagedQuery([...keyOf(address), 'commits', rev, path], (at, signal) =>
    api.listCommits({ params: address, query: { rev, ...(path ? { path } : {}), ...at } }, { signal }),
  )

/** Who made the commits that lead to a revision. */
export const contributorsQuery = (address: RepoAddress, rev: string) =>
  queryOptions({
    queryKey: [...keyOf(address), 'contributors', rev],
    staleTime: 60_000,
    queryFn: ({ signal }) => api.listContributors({ params: address, query: { rev } }, { signal }),
  })

export type Contributor = Operations['listContributors']['result']['items'][number]

export type Blame = Operations['getBlame']['result']

/** Which commit each line of a file comes from, at a commit. */
export const blameQuery = (address: RepoAddress, { rev, path }: TreeAt) =>
  queryOptions({
    queryKey: [...keyOf(address), 'blame', rev, path],
    staleTime: Infinity,
    queryFn: ({ signal }) => api.getBlame({ params: { ...address, rev, path } }, { signal }),
  })

/** The commits that a merge has brought. */
export const mergedQuery = (address: RepoAddress, sha: string) =>
  queryOptions({
    queryKey: [...keyOf(address), 'merged', sha],
    staleTime: Infinity,
    queryFn: ({ signal }) => api.listMergedCommits({ params: { ...address, sha } }, { signal }),
  })

/** Two revisions, by any name that resolves. */
export interface Revisions {
  base: string
  head: string
}

/** How many commits each of two revisions has that the other has not. */
export const divergenceQuery = (address: RepoAddress, asked: Revisions) =>
  queryOptions({
    queryKey: [...keyOf(address), 'divergence', asked],
    queryFn: ({ signal }) => api.getDivergence({ params: address, query: { ...asked } }, { signal }),
  })

/** Deletes a branch or a tag. */
export function useDeleteRef(address: RepoAddress) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: ({ kind, name }: { kind: 'branch' | 'tag'; name: string }) =>
      kind === 'branch'
        ? api.deleteBranch({ params: { ...address, branch: name } })
        : api.deleteTag({ params: { ...address, tag: name } }),
    onSuccess: () => cache.invalidateQueries({ queryKey: refsQuery(address).queryKey }),
  })
}

/** Commits to a branch; everything read of the repo before is asked again. */
export function useCommit(address: RepoAddress) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (body: CommitRequest) => api.createCommit({ params: address, body }),
    onSuccess: () => cache.invalidateQueries({ queryKey: keyOf(address) }),
  })
}

interface CommitOfText {
  path: string
  text: string
  title: string
  target: { branch: string }
}

/**
 * Commits a text. What was edited meanwhile is not overwritten (`commit-conflict`), while other files may have changed.
 */
export function useCommitText(address: RepoAddress, rev: string, before: TextBefore | undefined) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: async ({ path, text, title, target }: CommitOfText) => {
      const operations = [
        { op: 'add' as const, path, text: before ? encodeLines({ ...before, text }) : text },
      ]
      const body = { ...target, title, operations }
      const params = address
      if (!before) return api.createCommit({ params, body })
      const onto = (parent_commit: string) => api.createCommit({ params, body: { ...body, parent_commit } })
      return onto(before.commit).catch(async (error: unknown) => {
        if (!(error instanceof ApiProblem) || error.code !== 'commit-conflict') throw error
        const { commit, file } = await api.getTreePath({ params: { ...address, rev, path } })
        if (file?.oid !== before.oid) throw error
        return onto(commit)
      })
    },
    onSuccess: () => cache.invalidateQueries({ queryKey: keyOf(address) }),
  })
}

export function useCreateBranch(address: RepoAddress) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (body: { name: string; from: string }) => api.createBranch({ params: address, body }),
    onSuccess: () => cache.invalidateQueries({ queryKey: refsQuery(address).queryKey }),
  })
}

/** Makes a branch or a tag at a revision. */
export function useCreateRef(address: RepoAddress) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: ({ kind, name, from }: { kind: 'branch' | 'tag'; name: string; from: string }) =>
      kind === 'branch'
        ? api.createBranch({ params: address, body: { name, from } })
        : api.createTag({ params: address, body: { name, revision: from } }),
    onSuccess: () => cache.invalidateQueries({ queryKey: refsQuery(address).queryKey }),
  })
}

export function useCreateZip(address: RepoAddress) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: ({ rev, path }: TreeAt) =>
      api.createZip({ params: address, query: { rev, ...(path ? { path } : {}) } }),
    onSuccess: () => cache.invalidateQueries({ queryKey: ['jobs'] }),
  })
}

/** Pulls one file of a mirror from its upstream. */
export function usePullFile(address: RepoAddress) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (path: string) =>
      api.pullIntoMirror({ params: address, body: { include: [path.replace(/[*?[]/g, '[$&]')] } }),
    onSuccess: () => cache.invalidateQueries({ queryKey: ['jobs'] }),
  })
}

/** A few collections that hold the repo, the most upvoted first. */
export const collectionsWithQuery = ({ type, ns, name }: RepoAddress) =>
  queryOptions({
    queryKey: ['collections', 'with', type, ns, name],
    queryFn: ({ signal }) =>
      api.listCollections(
        { query: { item: `${type}/${ns}/${name}`, sort: 'upvotes', limit: 5 } },
        { signal },
      ),
  })
