import { createBrowserRouter, type RouteObject } from 'react-router'
import { PageLoading } from '../ui/states.tsx'
import { CrashPage } from './crash-page.tsx'
import { Shell } from './shell.tsx'

/** The pages below a repo's address; models stand at the root, datasets below `/datasets`. */
function repoRoutes(): RouteObject[] {
  return [
    { index: true, lazy: () => import('../features/content/card.page.tsx') },
    { path: 'tree/:rev/*', lazy: () => import('../features/content/tree.page.tsx') },
    { path: 'blob/:rev/*', lazy: () => import('../features/content/blob.page.tsx') },
    { path: 'new/:rev/*', lazy: () => import('../features/content/new-file.page.tsx') },
    { path: 'edit/:rev/*', lazy: () => import('../features/content/edit-file.page.tsx') },
    { path: 'upload/:rev', lazy: () => import('../features/uploads/upload.page.tsx') },
    { path: 'commits/:rev/*', lazy: () => import('../features/content/commits.page.tsx') },
    { path: 'commit/:sha', lazy: () => import('../features/content/commit.page.tsx') },
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

const settingsPages = () => import('../features/account/pages.ts')

const settingsRoutes: RouteObject[] = [
  { index: true, lazy: async () => (await settingsPages()).profile },
  { path: 'password', lazy: async () => (await settingsPages()).password },
  { path: 'sign-in', lazy: async () => (await settingsPages()).signIn },
  { path: 'sessions', lazy: async () => (await settingsPages()).sessions },
  { path: 'tokens', lazy: async () => (await settingsPages()).tokens },
  { path: 'ollama-keys', lazy: async () => (await settingsPages()).ollamaKeys },
  { path: 'webhooks', lazy: () => import('../features/webhooks/own.page.tsx') },
  { path: 'webhooks/:id', lazy: () => import('../features/webhooks/webhook.page.tsx') },
]

const adminPages = () => import('../features/admin/pages.ts')

const adminRoutes: RouteObject[] = [
  { index: true, lazy: async () => (await adminPages()).overview },
  { path: 'users', lazy: async () => (await adminPages()).users },
  { path: 'orgs', lazy: async () => (await adminPages()).orgs },
  { path: 'invites', lazy: async () => (await adminPages()).invites },
  { path: 'unsafe-files', lazy: async () => (await adminPages()).unsafeFiles },
  { path: 'audit', lazy: async () => (await adminPages()).audit },
  { path: 'quotas', lazy: async () => (await adminPages()).quotas },
  { path: 'policies', lazy: async () => (await adminPages()).policies },
  { path: 'tokens', lazy: async () => (await adminPages()).tokens },
]

const repoLayout = () => import('./repo-layout.tsx')

const authPages = () => import('../features/auth/pages.ts')

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
          { path: 'new', lazy: () => import('../features/repos/new.page.tsx') },
          { path: 'login', lazy: async () => (await authPages()).login },
          { path: 'auth/login', lazy: async () => (await authPages()).login },
          { path: 'register', lazy: async () => (await authPages()).register },
          { path: 'links/:secret', lazy: async () => (await authPages()).link },
          { path: 'device', lazy: async () => (await authPages()).device },
          { path: 'collections', lazy: () => import('../features/collections/list.page.tsx') },
          { path: 'collections/new', lazy: () => import('../features/collections/new.page.tsx') },
          {
            path: 'collections/:ns/:slug',
            lazy: () => import('../features/collections/collection.page.tsx'),
          },
          { path: 'discover', lazy: () => import('../features/mirrors/pull.page.tsx') },
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
          { path: 'datasets/:ns/:name', lazy: repoLayout, children: repoRoutes() },
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

/** The routes of the page, one lazily loaded chunk each. */
export function createRouter() {
  return createBrowserRouter(routes)
}
