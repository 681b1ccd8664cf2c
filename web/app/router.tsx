import type { ReactNode } from 'react'
import { createBrowserRouter, redirectDocument, type RouteObject } from 'react-router'
import { watchNavigation } from '../lib/navigating.ts'
import { PageLoading } from '../ui/states.tsx'
import { CrashPage } from './crash-page.tsx'
import { Shell } from './shell.tsx'

/**
 * Routes whose pages load together, since each import of its own makes every first view larger: their paths, and the names
 * of their pages.
 */
const together = <P,>(load: () => Promise<P>, pages: Record<string, keyof P>): RouteObject[] =>
  Object.entries(pages).map(([path, name]) => ({
    path,
    lazy: async () => (await load())[name] as { Component: () => ReactNode },
  }))

/** The pages below a repo's address; models stand at the root, datasets below `/datasets`. */
function repoRoutes(own: RouteObject[] = []): RouteObject[] {
  return [
    ...own,
    { index: true, lazy: () => import('./card.page.tsx') },
    { path: 'tree/:rev/*', lazy: () => import('../features/content/tree.page.tsx') },
    ...together(() => import('../features/content/file-pages.ts'), {
      'blob/:rev/*': 'blob',
      'blame/:rev/*': 'blame',
    }),
    { path: 'new/:rev/*', lazy: () => import('../features/content/new-file.page.tsx') },
    { path: 'edit/:rev/*', lazy: () => import('../features/content/edit-file.page.tsx') },
    { path: 'metadata/:rev', lazy: () => import('../features/content/card/metadata.page.tsx') },
    { path: 'upload/:rev', lazy: () => import('../features/uploads/upload.page.tsx') },
    { path: 'commits/:rev/*', lazy: () => import('../features/content/commits.page.tsx') },
    { path: 'commit/:sha', lazy: () => import('../features/content/commit.page.tsx') },
    { path: 'branches', lazy: () => import('../features/content/branches.page.tsx') },
    { path: 'compare', lazy: () => import('../features/content/compare.page.tsx') },
    { path: 'discussions', lazy: () => import('../features/discussions/list.page.tsx') },
    { path: 'discussions/new', lazy: () => import('../features/discussions/new.page.tsx') },
    {
      path: 'discussions/:num',
      lazy: () => import('../features/discussions/thread-layout.tsx'),
      children: [
        { index: true, lazy: () => import('../features/discussions/conversation.page.tsx') },
        { path: 'commits', lazy: () => import('../features/discussions/pull-commits.page.tsx') },
        { path: 'files', lazy: () => import('../features/discussions/pull-files.page.tsx') },
      ],
    },
    { path: 'insights', lazy: () => import('./insights.page.tsx') },
    { path: 'settings', lazy: () => import('../features/repos/settings.page.tsx') },
    { path: 'settings/webhooks', lazy: () => import('../features/webhooks/repo.page.tsx') },
    { path: '*', lazy: () => import('./not-found.page.tsx') },
  ]
}

const settingsRoutes: RouteObject[] = [
  ...together(() => import('../features/account/pages.ts'), {
    '': 'profile',
    password: 'password',
    'sign-in': 'signIn',
    sessions: 'sessions',
    tokens: 'tokens',
    'ollama-keys': 'ollamaKeys',
  }),
  { path: 'notifications', lazy: () => import('../features/notifications/list.page.tsx') },
  { path: 'webhooks', lazy: () => import('../features/webhooks/own.page.tsx') },
  { path: 'webhooks/:id', lazy: () => import('../features/webhooks/webhook.page.tsx') },
  { path: 'upstream-tokens', lazy: () => import('../features/mirrors/upstream-tokens.page.tsx') },
  { path: 'deleted', lazy: () => import('../features/repos/deleted.page.tsx') },
]

const adminRoutes = together(() => import('../features/admin/pages.ts'), {
  '': 'overview',
  health: 'health',
  config: 'config',
  users: 'users',
  'users/:id': 'user',
  orgs: 'orgs',
  invites: 'invites',
  upstreams: 'upstreams',
  'unsafe-files': 'unsafeFiles',
  audit: 'audit',
  quotas: 'quotas',
  policies: 'policies',
  appearance: 'appearance',
  tokens: 'tokens',
})

const datasetRoutes: RouteObject[] = [
  { path: 'viewer/*', lazy: () => import('../features/datasets/viewer.page.tsx') },
  { path: 'sql/*', lazy: () => import('../features/datasets/sql.page.tsx') },
]

const repoLayout = () => import('./repo-layout.tsx')

const authRoutes = together(() => import('../features/auth/pages.ts'), {
  login: 'login',
  'auth/login': 'login',
  register: 'register',
  'links/:secret': 'link',
  device: 'device',
})

/** Left out of what is built. */
const developmentRoutes: RouteObject[] = import.meta.env.DEV
  ? [{ path: 'design', lazy: () => import('../features/design/design.page.tsx') }]
  : []

const routes: RouteObject[] = [
  {
    path: '/',
    Component: Shell,
    ErrorBoundary: CrashPage,
    children: [
      {
        ErrorBoundary: CrashPage,
        // Within the shell, so that what is above a page stands where it stays.
        HydrateFallback: PageLoading,
        children: [
          { index: true, lazy: () => import('./home.page.tsx') },
          { path: 'models', lazy: () => import('../features/repos/models.page.tsx') },
          { path: 'datasets', lazy: () => import('../features/repos/datasets.page.tsx') },
          { path: 'search', lazy: () => import('../features/repos/search/search.page.tsx') },
          { path: 'new', lazy: () => import('../features/repos/new.page.tsx') },
          ...authRoutes,
          ...developmentRoutes,
          { path: 'collections', lazy: () => import('../features/collections/list.page.tsx') },
          { path: 'collections/new', lazy: () => import('../features/collections/new.page.tsx') },
          {
            path: 'collections/:ns/:slug',
            lazy: () => import('../features/collections/collection.page.tsx'),
          },
          { path: 'discover', lazy: () => import('../features/mirrors/discover.page.tsx') },
          {
            path: 'discover/:type/:ns/:name',
            lazy: () => import('../features/mirrors/discovered.page.tsx'),
          },
          { path: 'jobs', lazy: () => import('../features/jobs/jobs.page.tsx') },
          { path: 'jobs/:id', lazy: () => import('../features/jobs/job.page.tsx') },
          { path: 'orgs/new', lazy: () => import('../features/namespaces/new-org.page.tsx') },
          {
            path: 'settings',
            lazy: () => import('../features/account/settings-layout.tsx'),
            children: settingsRoutes,
          },
          {
            path: 'admin',
            lazy: () => import('../features/admin/admin-layout.tsx'),
            children: adminRoutes,
          },
          { path: 'problems/:code', lazy: () => import('../features/docs/problem.page.tsx') },
          { path: 'docs/api', lazy: () => import('../features/docs/api.page.tsx') },
          { path: 'docs/compatibility', lazy: () => import('../features/docs/compatibility.page.tsx') },
          { path: 'datasets/:ns/:name', lazy: repoLayout, children: repoRoutes(datasetRoutes) },
          { path: ':ns/settings', lazy: () => import('../features/namespaces/org-settings.page.tsx') },
          { path: ':ns/settings/webhooks', lazy: () => import('../features/webhooks/org.page.tsx') },
          { path: ':ns/:name', lazy: repoLayout, children: repoRoutes() },
          { path: ':ns', lazy: () => import('./profile.page.tsx') },
          { path: '*', lazy: () => import('./not-found.page.tsx') },
        ],
      },
    ],
  },
]

/** What is shown within pages of other sites. Everything else loads as a page of its own, which refuses to be framed. */
const embeddedRoutes: RouteObject[] = [
  {
    path: '/datasets/:ns/:name/embed/viewer/*',
    ErrorBoundary: CrashPage,
    HydrateFallback: PageLoading,
    lazy: () => import('./embedded-viewer.page.tsx'),
  },
  { path: '*', loader: ({ request }) => redirectDocument(request.url) },
]

/** The routes of the page, one lazily loaded chunk each. */
export function createRouter() {
  const isEmbedded = /^\/datasets\/[^/]+\/[^/]+\/embed\/viewer(?:\/|$)/.test(location.pathname)
  return watchNavigation(createBrowserRouter(isEmbedded ? embeddedRoutes : routes))
}
