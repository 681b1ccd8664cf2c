import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import mantine from 'postcss-preset-mantine'
import type { Plugin } from 'vite'
import { configDefaults, defineConfig } from 'vitest/config'

const root = fileURLToPath(new URL('.', import.meta.url))

/** What `npm run dev` leaves to the API: everything that is no page. */
const apiPaths = [
  '^/(api|avatars|uploads|oauth|healthz|readyz|chunk-cas|viewer-api)(/|$)',
  '^/lfs/',
  '^/.+\\.git/',
  '^/.+/(resolve|raw)/',
]

/** Where `npm run dev` has the API; tests of the pages that it serves have one of their own. */
const apiUrl = process.env['ARSENAL_DEV_API'] ?? 'http://127.0.0.1:8080'

/** Writes `.br` and `.gz` beside each text asset; the server sends them to browsers that take them. */
const compressed = {
  name: 'compressed-assets',
  apply: 'build' as const,
  closeBundle() {
    const folder = join(root, 'dist', 'web', 'assets')
    for (const name of readdirSync(folder).filter((file) => /\.(js|css|svg)$/.test(file))) {
      const bytes = readFileSync(join(folder, name))
      if (bytes.length < 1024) continue
      writeFileSync(join(folder, `${name}.br`), brotliCompressSync(bytes))
      writeFileSync(join(folder, `${name}.gz`), gzipSync(bytes, { level: 9 }))
    }
  },
}

/** The modules whose files a page needs at once, by the kind of its first view (`app/first-view.tsx`). */
const firstModules: Record<string, string[]> = {
  models: ['features/repos/models.page.tsx'],
  datasets: ['features/repos/datasets.page.tsx'],
  card: ['app/repo-layout.tsx', 'app/card.page.tsx', 'ui/markdown/markdown.tsx'],
}

/** Writes `first-files.json`: which files the server names in the head of a page that it draws. */
const firstFiles: Plugin = {
  name: 'first-files',
  apply: 'build',
  generateBundle(_options, bundle) {
    const chunks = Object.values(bundle).filter((output) => output.type === 'chunk')
    const filesOf = (modules: string[]) => {
      const files = new Set<string>()
      const add = (name: string) => {
        const chunk = chunks.find(({ fileName }) => fileName === name)
        if (!chunk || chunk.isEntry || files.has(name)) return
        files.add(name)
        for (const style of chunk.viteMetadata?.importedCss ?? []) files.add(style)
        chunk.imports.forEach(add)
      }
      for (const module of modules) {
        const chunk = chunks.find(({ moduleIds }) => moduleIds.includes(join(root, 'web', module)))
        if (!chunk) throw new Error(`no file has ${module}`)
        add(chunk.fileName)
      }
      return [...files].map((file) => `/${file}`)
    }
    const byKind = Object.entries(firstModules).map(([kind, modules]) => [kind, filesOf(modules)])
    const source = JSON.stringify(Object.fromEntries(byKind))
    this.emitFile({ type: 'asset', fileName: 'first-files.json', source })
  },
}

const stylesFile = join(root, 'web', 'app', 'mantine.css')

/** Every component of Mantine that is used has its styles in `mantine.css`: all of them are twice as large. */
const mantineStyles: Plugin = {
  name: 'mantine-styles',
  apply: 'build',
  generateBundle(_options, bundle) {
    const text = readFileSync(stylesFile, 'utf8')
    const modules = Object.values(bundle).flatMap((output) =>
      output.type === 'chunk' ? Object.keys(output.modules) : [],
    )
    const used = modules.flatMap((id) => /@mantine\/core\/esm\/.*\/(\w+)\.module\.mjs$/.exec(id)?.[1] ?? [])
    const missing = [...new Set(used)].filter((name) => !text.includes(`/${name}.css`))
    if (missing.length > 0) this.error(`web/app/mantine.css lacks the styles of ${missing.join(', ')}`)
  },
}

/** What every page of a thread needs: together 1.7 KB smaller on the wire than as a file per module. */
const thread = {
  name: 'thread',
  test: /discussions.(queries|rights|thread|status-mark|thread-layout|merge-frame|comment-text|person|forum|thread-head|discussions|reply|marks.(?:label-chip|queries))[.]|icons.Icon(?:GitPullRequest|GitPullRequestDraft|MessageCircle)[.]/,
  includeDependenciesRecursively: false,
}

/** Each file more costs every first view the bytes of its name: what several lazy pages share is in few of them. */
const shared = [
  {
    name: 'cells',
    test: /web.(?:ui.(?:grid.(?:cell|cell-text|feature-types|row-values)|json-tree)|lib.exact-(?:json|read))[.]tsx?$|shared.viewer-urls[.]/,
    includeDependenciesRecursively: false,
  },
  {
    name: 'grid',
    test: /web.ui.grid.|@tanstack.(?:react-virtual|virtual-core|react-table|table-core|react-store|store).dist/,
    includeDependenciesRecursively: false,
  },
  // What rows of lists show, and what every page of a repo needs.
  {
    name: 'row-parts',
    test: /web.ui.(?:loaded|facts|copy-button|mark|avatar-picture)[.]|web.lib.copy-text[.]|icons.Icon(?:Copy|Check|Heart|Table|X)[.]/,
    includeDependenciesRecursively: false,
  },
  {
    name: 'repo-frame',
    test: /web.(?:features.repos.(?:repo-layout|repo-tabs|repo-tags|like-buttons|access-notice|use-menu)|ui.link-tabs|lib.(?:recent-repos|repo-context|repo-queries|commit-ways|dropped-files))[.]|icons.Icon(?:Cards|Files|ChartBar|Messages|Settings|HeartFilled|Code)[.]/,
    includeDependenciesRecursively: false,
  },
  // What chooses labels and assignees, and changes labels.
  {
    name: 'marks',
    test: /discussions.marks.(?:pick-|label-manager)/,
    includeDependenciesRecursively: false,
  },
  // What colours files, fenced blocks and diffs.
  {
    name: 'colours',
    test: /web.ui.code.(?:highlight|runs|use-near|languages)[.]tsx?$/,
    includeDependenciesRecursively: false,
  },
  // Small modules that every page with a document needs.
  {
    name: 'document-parts',
    test: /web.(?:features.content.(?:readme|need)|ui.markdown.(?:front-matter|links))[.]/,
    includeDependenciesRecursively: false,
  },
  {
    name: 'commands',
    test: /web.ui.commands.(?:command-tabs|deeds|quants)[.]/,
    includeDependenciesRecursively: false,
  },
  {
    name: 'job-parts',
    test: /web.(?:ui.job-progress|features.jobs.job-parts)[.]/,
    includeDependenciesRecursively: false,
  },
]

const onBuckets = [
  'api/stores/storage/s3/{faults,features}.test.ts',
  'api/surfaces/hub/redirect.test.ts',
  'api/rooms/uploads/bucket/bucket-uploads.test.ts',
]

/**
 * The bundles that `npm test` brings: the loader of sources takes a third of a second of each worker's start, which unit
 * tests do thousands of times. Without them workers run from their sources, so that changes count at once.
 */
async function onBundledWorkers(folder: string | undefined): Promise<Plugin[]> {
  if (folder === undefined) return []
  const { workerUrls } = (await import(new URL('./api/dev/workers.mjs', import.meta.url).href)) as {
    workerUrls: (folder: string) => Plugin
  }
  return [workerUrls(folder)]
}

export default defineConfig({
  root: `${root}web`,
  plugins: [react(), firstFiles, mantineStyles, compressed],
  resolve: {
    // The package asks the document, which the worker that parses Markdown has not.
    alias: { 'decode-named-character-reference': `${root}web/ui/markdown/references.ts` },
  },
  css: { postcss: { plugins: [mantine()] } },
  build: {
    outDir: `${root}dist/web`,
    emptyOutDir: true,
    // Tests of pages look up the files of modules, whose names say nothing.
    manifest: true,
    target: 'es2022',
    // The content security policy has no data: scripts or styles; every asset is a file of its own.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // What every page needs is one file; by default each shared module would be one.
    rolldownOptions: {
      output: {
        // Every first view loads the list of all files that pages preload. Names in it would cost 2 KB.
        chunkFileNames: 'assets/[hash].js',
        codeSplitting: { groups: [{ name: 'shell', tags: ['$initial'] }, thread, ...shared] },
      },
    },
  },
  // Module workers load their grammars lazily; the default format cannot be split.
  worker: { format: 'es' },
  server: {
    port: 5173,
    proxy: Object.fromEntries(apiPaths.map((path) => [path, { target: apiUrl }])),
  },
  test: {
    // Left to itself it keeps a core free, which of two is one.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      {
        plugins: await onBundledWorkers(process.env['ARSENAL_TEST_WORKERS']),
        test: {
          name: 'api',
          root,
          include: ['api/**/*.test.ts', 'shared/**/*.test.ts'],
          // All they hold needs the buckets that `npm test` brings.
          exclude: [...configDefaults.exclude, ...(process.env['ARSENAL_TEST_S3'] ? [] : onBuckets)],
          // Deadlines for a busy machine, not promises of speed: at first, downloads and builds of tools run beside.
          testTimeout: 600_000,
          hookTimeout: 600_000,
          expect: { poll: { timeout: 30_000 } },
          // Loading the whole server anew for each file would take longer than the tests.
          isolate: false,
        },
      },
      {
        test: { name: 'web', root, include: ['web/**/*.test.{ts,tsx}'], testTimeout: 60_000, isolate: false },
      },
    ],
  },
})
