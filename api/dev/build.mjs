// Builds dist/api (the bundled server and its workers) and dist/web (the pages). `npm run build` builds both from scratch.
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { main, must, root, SetupError } from './run.mjs'
import { fingerprint, isFresh, mark } from './stamps.mjs'
import { workers, workerUrls } from './workers.mjs'

const shared = ['package-lock.json', 'tsconfig.base.json', 'shared', 'api/dev/build.mjs']
const builder = fileURLToPath(import.meta.url)
const parts = [
  {
    name: 'api',
    title: 'the server',
    stamp: 'dist/.api-stamp',
    sources: [...shared, 'api', 'drizzle'],
    build: buildApi,
  },
  {
    name: 'web',
    title: 'the pages',
    stamp: 'dist/.web-stamp',
    sources: [...shared, 'web', 'vite.config.ts'],
    build: buildWeb,
  },
]

/** What `ensureTestWorkers` builds. */
const testWorkers = {
  name: 'workers',
  title: 'the workers of unit tests',
  stamp: '.cache/test-workers/.stamp',
  sources: [...shared, 'api'],
  build: () => bundleServer(join(root, '.cache', 'test-workers'), {}),
}

/** Builds what changed since it was last built, each part in a process of its own: bundlers leave much memory behind. */
export async function ensureBuilt() {
  await buildParts(parts.filter(isStale))
}

/** Answers the folder of the bundled workers, built where they changed. */
export async function ensureTestWorkers() {
  await buildParts([testWorkers].filter(isStale))
  return join(root, '.cache', 'test-workers')
}

const isStale = ({ stamp, sources }) => !isFresh(stamp, fingerprint(sources))

async function buildParts(chosen) {
  for (const { name, title, stamp, sources } of chosen) {
    const print = fingerprint(sources)
    process.stdout.write(`Building ${title} …\n`)
    await must(process.execPath, [builder, name])
    mark(stamp, print)
  }
}

/** Packages with machine code, which cannot be bundled, and the loaders that find it. */
const native = [
  /^libsql(\/|$)/,
  /^@libsql\/[\w-]+-(gnu|musl|msvc|eabihf)/,
  /^@node-rs\//,
  /^@napi-rs\//,
  /^@duckdb\//,
  /^pg-native$/,
]

async function buildApi() {
  await bundleServer(join(root, 'dist', 'api'), { main: join(root, 'api', 'main.ts') })
}

/** Bundles programs that are made of api/ into a folder, each by its name, with every `<name>.worker.ts` beside them. */
export async function bundleServer(outDir, programs) {
  const { build } = await import('vite')
  await build({
    configFile: false,
    root: join(root, 'api'),
    logLevel: 'warn',
    publicDir: false,
    plugins: [workerUrls('.'), oneLocale],
    ssr: { noExternal: true, external: [], target: 'node' },
    build: {
      ssr: true,
      target: 'node20',
      outDir,
      emptyOutDir: true,
      minify: false,
      sourcemap: true,
      rolldownOptions: {
        input: { ...programs, ...workers() },
        external: native,
        platform: 'node',
        output: {
          format: 'esm',
          entryFileNames: '[name].js',
          chunkFileNames: '[name]-[hash].js',
          ...compact,
        },
      },
    },
  })
}

/**
 * V8 keeps the whole text of a file while the server runs, in two bytes per character where one is beyond Latin-1. Lines
 * stay, which stack traces name.
 */
const compact = {
  comments: { legal: true, annotation: false, jsdoc: false },
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: false, asciiOnly: true } },
}

/**
 * The library of schemas brings its messages in sixty languages, which are all loaded at start and make V8 keep the
 * whole file in two bytes per character. Ours are in English.
 */
const oneLocale = {
  name: 'one-locale',
  load: (id) =>
    /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/.test(id) ? "export { default as en } from './en.js'" : null,
}

/** A bundler's error says where and why in its text; its stack says nothing. */
function explain(error) {
  throw new SetupError(error.message)
}

async function buildWeb() {
  await must('node_modules/.bin/vite', ['build', '--config', 'vite.config.ts', '--logLevel', 'warn'])
  await bundleFirstView()
}

/** `dist/first-view`: the pages, and the cards on them, that the server draws before their script runs, with the class names of `dist/web`. */
async function bundleFirstView() {
  const { build } = await import('vite')
  const { default: mantine } = await import('postcss-preset-mantine')
  await build({
    configFile: false,
    root: join(root, 'web'),
    // Each of the library's files says that it is for browsers, which a warning repeats.
    logLevel: 'error',
    publicDir: false,
    define: { 'process.env.NODE_ENV': JSON.stringify('production') },
    css: { postcss: { plugins: [mantine()] } },
    ssr: { noExternal: true, external: [], target: 'node' },
    build: {
      ssr: true,
      target: 'node20',
      outDir: join(root, 'dist', 'first-view'),
      emptyOutDir: true,
      assetsInlineLimit: 0,
      rolldownOptions: {
        input: Object.fromEntries(
          ['first-view', 'first-view-card'].map((name) => [name, join(root, 'web', 'app', `${name}.tsx`)]),
        ),
        platform: 'node',
        output: { format: 'esm', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  })
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const part = [...parts, testWorkers].find(({ name }) => name === process.argv[2])
  await main(() => (part ? part.build().catch(explain) : buildParts(parts)))
}
